import {Box} from 'ink';
import TextInput from 'ink-text-input';
import {editorRows} from '../../text/editor-layout.ts';
import type {EditorState} from '../../text/editor-state.ts';
import type {Rect} from '../layout.ts';
import {useScreenCursor} from './use-screen-cursor.ts';

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
	const {text, cursor} = windowOf(editor, rect.width, mask);
	useScreenCursor({x: rect.x + cursor, y: rect.y});
	return (
		<Box position="absolute" left={rect.x} top={rect.y} width={rect.width} height={1} overflow="hidden">
			<TextInput value={text} focus={false} onChange={() => {}} />
		</Box>
	);
}

/** The visible part of the value, as wide as the field, and the cursor's column, which is always visible. */
function windowOf(
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
