import {functionKey} from '../text/function-keys.ts';
import {sameAs} from './key-name.ts';

/** One key press: its name in the bindings (`j`, `G`, `ctrl+d`, `shift+tab`, `enter`) and the text it types, if any. */
export type KeyPress = {
	readonly name: string;
	readonly text: string;
	/** A click on the key's hint: it applies to the current frame. */
	readonly isClicked?: true;
};

/** The part of Ink's key object used here. */
export type InkKey = Readonly<
	Partial<
		Record<
			| 'upArrow'
			| 'downArrow'
			| 'leftArrow'
			| 'rightArrow'
			| 'pageDown'
			| 'pageUp'
			| 'home'
			| 'end'
			| 'return'
			| 'escape'
			| 'tab'
			| 'backspace'
			| 'delete'
			| 'ctrl'
			| 'shift'
			| 'meta',
			boolean
		>
	>
> & {readonly eventType?: string | undefined};

const namedKeys = [
	['upArrow', 'up'],
	['downArrow', 'down'],
	['leftArrow', 'left'],
	['rightArrow', 'right'],
	['pageDown', 'pagedown'],
	['pageUp', 'pageup'],
	['home', 'home'],
	['end', 'end'],
	['return', 'enter'],
	['escape', 'escape'],
	['tab', 'tab'],
	['backspace', 'backspace'],
	['delete', 'delete'],
] as const satisfies readonly (readonly [keyof InkKey, string])[];

const controls: Readonly<Record<string, string>> = {
	'\r': 'enter',
	'\n': 'ctrl+j',
	'\t': 'tab',
	'\b': 'backspace',
	'\x7f': 'backspace',
	'\x1b': 'escape',
};

/**
 * Converts one Ink input event to key presses. Keys typed faster than they are read arrive as one string,
 * which is split at control characters; a run of text stays one press, so that a text field inserts it in one
 * step.
 */
export function keyPresses(input: string, key: InkKey): KeyPress[] {
	if (key.eventType === 'release') return [];
	const special = namedKeys.find(([flag]) => key[flag]);
	if (special?.[1] === 'escape') return [{name: 'escape', text: ''}];
	if (special) return [{name: withModifiers(special[1], key, true), text: ''}];
	const functional = functionKey(input);
	if (functional) return [{name: withModifiers(functional, key, true), text: ''}];
	if (key.ctrl || key.meta) {
		const base = input === ' ' ? 'space' : input.toLowerCase();
		const name = withModifiers(base, key, false);
		// A terminal that tells them apart mustn't have another key there.
		return base === '' ? [] : [{name: sameAs[name] ?? name, text: ''}];
	}
	return (input.match(/[\0-\x1f\x7f]|[^\0-\x1f\x7f]+/g) ?? []).flatMap(part => {
		const control = controls[part];
		if (control) return [{name: control, text: ''}];
		if (part < ' ') return [{name: `ctrl+${controlLetter(part.charCodeAt(0))}`, text: ''}];
		return [{name: part === ' ' ? 'space' : part, text: part}];
	});
}

/** The key that produces this control character with Ctrl: a letter, or one of `[ \\ ] ^ _`. */
function controlLetter(code: number): string {
	return String.fromCharCode(code + 64).toLowerCase();
}

/**
 * Whether input that arrived at once has several lines of text: a paste of a terminal that doesn't mark it, since nobody
 * types that fast. `isContinued`: such a paste has just arrived, and a long one comes in several reads.
 */
export function isUnmarkedPaste(input: string, isContinued: boolean): boolean {
	if (/^[\r\n]*$/.test(input) || /[^\P{Cc}\t\r\n]/u.test(input)) return false;
	return isContinued || /[^\r\n][\r\n]+[^\r\n]/.test(input);
}

/** Splits a run of text into single keys, for consumers that bind keys rather than accept text. */
export function singleKeys(press: KeyPress): KeyPress[] {
	if (press.text.length < 2) return [press];
	return Array.from(press.text, char => ({name: char === ' ' ? 'space' : char, text: char}));
}

function withModifiers(name: string, key: InkKey, takesShift: boolean): string {
	return [key.ctrl && 'ctrl', key.meta && 'alt', takesShift && key.shift && 'shift', name]
		.filter(part => typeof part === 'string')
		.join('+');
}
