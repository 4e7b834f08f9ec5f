import {Box, Transform} from 'ink';
import TextInput from 'ink-text-input';
import type {ActionName} from '../../keys/bindings.ts';
import type {KeyPress} from '../../keys/key-press.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {takeLastColumns} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {editorRows} from '../../text/editor/editor-layout.ts';
import type {EditorState} from '../../text/editor/editor-state.ts';
import type {Rect} from '../layout.ts';
import {styled} from '../theme/theme.ts';
import {useTheme} from '../theme/use-theme.ts';
import {useScreenCursor} from './use-screen-cursor.ts';

/** Columns reserved for the cursor and the frame. */
const free = 2;

/**
 * Typed words after a mark (only their end if too long), or a hint while there are none. `cursor` is the
 * column for the terminal's own cursor.
 */
export function queryLine(
	mark: Safe,
	query: string,
	hint: Safe,
	width: number,
): {readonly line: Line; readonly cursor: number} {
	const words = takeLastColumns(cleanLine(query), Math.max(1, width - textWidth(mark) - free));
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
	readonly mask?: string;
};

/**
 * The focused one-line field, with the terminal's own cursor. A value longer than the field scrolls with the
 * cursor. Doesn't listen for keys: the form passes them on, so that they match the composer's.
 */
export function TextField({rect, editor, mask}: Props) {
	const {text, cursor} = visiblePart(editor, rect.width, mask);
	const look = useTheme().tones.text;
	useScreenCursor({x: rect.x + cursor, y: rect.y});
	return (
		<Box position="absolute" left={rect.x} top={rect.y} width={rect.width} height={1} overflow="hidden">
			<Transform transform={line => styled(line, look)}>
				<TextInput value={text} focus={false} onChange={() => {}} />
			</Transform>
		</Box>
	);
}

/** The part of the value around the cursor that fits the field, and the cursor's column in it. */
function visiblePart(
	{text, cursor}: EditorState,
	width: number,
	mask: string | undefined,
): {readonly text: string; readonly cursor: number} {
	const [row] = editorRows(text, [], Number.MAX_SAFE_INTEGER);
	const cells = (row?.cells ?? []).map(cell => (mask === undefined ? cell : {...cell, text: mask, width: 1}));
	let x = cells.reduce((sum, cell) => (cell.index < cursor ? sum + cell.width : sum), 0);
	let first = 0;
	for (; x >= width; first++) x -= cells[first]?.width ?? 1;
	let shown = '';
	let room = width;
	for (const cell of cells.slice(first)) {
		if (cell.width > room) break;
		shown += cell.text;
		room -= cell.width;
	}
	return {text: shown + ' '.repeat(room), cursor: x};
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
