import {useInput, usePaste} from 'ink';
import {type KeyPress, keyPresses} from '../../keys/key-press.ts';

/** The one place where keys come in. `isAlone` is false for keys that came together in one read. */
export function useKeys(
	onKey: (press: KeyPress, isAlone: boolean) => void,
	onPaste: (text: string) => void,
): void {
	useInput((input, key) => {
		const presses = keyPresses(input, key);
		for (const press of presses) onKey(press, presses.length === 1);
	});
	usePaste(onPaste);
}
