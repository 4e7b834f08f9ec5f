import {Box, Transform} from 'ink';
import TextInput from 'ink-text-input';
import type {KeyPress} from '../../keys/key-press.ts';
import {inAscii} from '../../text/cells/ascii.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutStart, pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {fieldView} from '../../text/editor/editor-layout.ts';
import type {EditorState} from '../../text/editor/editor-state.ts';
import type {ActionName} from '../keys/binding.ts';
import type {Rect} from '../layout.ts';
import {styled} from '../theme/theme.ts';
import {useTheme} from '../theme/use-theme.ts';
import {useScreenCursor} from './use-screen-cursor.ts';

/** Columns reserved for the cursor and the frame. */
const free = 2;

/** Typed words after a mark (only their end if too long), or a hint while there are none. */
export function queryLine(
	mark: Safe,
	query: string,
	hint: Safe,
	width: number,
): {readonly line: Line; readonly cursor: number} {
	const words = cutStart(cleanLine(query), Math.max(1, width - textWidth(mark) - free));
	const cursor = textWidth(mark) + textWidth(words);
	return {
		line: [span(mark, 'accent'), span(words), ...(query === '' ? [span(safe` ${hint}`, 'dim')] : [])],
		cursor,
	};
}

type Props = {
	readonly rect: Rect;
	readonly editor: EditorState;
	/** Shown instead of each character. */
	readonly mask?: Safe;
};

/**
 * The focused one-line field, with the terminal's own cursor. A value longer than the field scrolls with the
 * cursor, and has a mark where it is cut. Doesn't listen for keys: the form passes them on, so that they match the
 * composer's.
 */
export function TextField({rect, editor, mask}: Props) {
	const {text, cursor} = fieldView(editor, rect.width, mask);
	const {tones, isAscii} = useTheme();
	const shown = pad(isAscii ? inAscii(text) : text, rect.width);
	useScreenCursor({x: rect.x + cursor, y: rect.y});
	return (
		<Box position="absolute" left={rect.x} top={rect.y} width={rect.width} height={1} overflow="hidden">
			<Transform transform={line => styled(line, tones.text)}>
				<TextInput value={shown} focus={false} onChange={() => {}} />
			</Transform>
		</Box>
	);
}

/** Turns typed or pasted text into one-line field input: no line ends, control or invisible characters. */
export function fieldText(raw: string): string {
	return raw
		.slice(0, 64 * 1024)
		.toWellFormed()
		.replace(/[\r\n\t\u2028\u2029]+/g, ' ')
		.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cn}\p{Bidi_Control}]/gu, '');
}

/** The text after a typing or deleting key; `undefined` for other keys. */
export function textAfterKey(
	words: string,
	press: KeyPress,
	action: ActionName | undefined,
): string | undefined {
	switch (action) {
		case 'erase':
			return Array.from(words).slice(0, -1).join('');
		case 'erase-word':
			return words.trimEnd().replace(/\S+$/, '');
		case 'erase-all':
			return '';
		case undefined:
			return press.text === '' ? undefined : words + fieldText(press.text);
		default:
			return undefined;
	}
}
