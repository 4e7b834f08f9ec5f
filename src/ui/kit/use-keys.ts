import {useInput, usePaste} from 'ink';
import {type KeyPress, keyPresses} from '../../keys/key-press.ts';

/** The only place that receives keys. `isAlone` is false for keys that arrived together in one read. */
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
