import {Box} from 'ink';
import TextInput from 'ink-text-input';
import {editorRows} from '../../text/editor-layout.ts';
import type {EditorState} from '../../text/editor-state.ts';
import type {Rect} from '../layout.ts';
import {useScreenCursor} from './use-screen-cursor.ts';

type Props = {
	readonly rect: Rect;
	readonly editor: EditorState;
	/** Shown in the place of each character. */
	readonly mask?: string;
};

/**
 * The one-line field that has the focus, with the terminal's own cursor in it. A value longer than the field is shown
 * around the cursor. The keys come from the form, so that they are those of the composer: the input listens to none.
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

/** What of the value is in sight, as wide as the field, and the column of the cursor, which always is. */
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

/** What of a typed or pasted text a one-line field takes: no line ends, no control characters, nothing invisible. */
export function fieldText(raw: string): string {
	return raw
		.slice(0, 64 * 1024)
		.toWellFormed()
		.replace(/[\r\n\t\u2028\u2029]+/g, ' ')
		.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cn}\p{Bidi_Control}]/gu, '');
}
