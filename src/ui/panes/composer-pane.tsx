import {useStore} from 'zustand';
import {editorView} from '../../text/editor-view.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {base64Bytes} from '../../domain/attachment.ts';
import {byteSize} from '../../text/size.ts';
import type {Composer} from '../composers.ts';
import {composerOf} from '../composers.ts';
import type {Row} from '../kit/frame.ts';
import {Pane} from '../kit/pane.tsx';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Rect} from '../layout.ts';
import {useApp} from '../use-app.ts';

const empty = composerOf(undefined, []);
/** Border, the prompt and its space at the left; border and a free column at the right. */
const chrome = 6;

/** Columns of text in a composer that is `width` columns wide. */
export function composerColumns(width: number): number {
	return Math.max(1, width - chrome);
}

type Props = {
	readonly sessionId: string;
	readonly rect: Rect;
	readonly isFocused: boolean;
	readonly hasDialog: boolean;
};

/** The text that is being written, with the terminal's own cursor in it. */
export function ComposerPane({sessionId, rect, isFocused, hasDialog}: Props) {
	const {composers, sizes} = useApp();
	const composer = useStore(composers, ({bySession}) => bySession.get(sessionId) ?? empty);
	const columns = composerColumns(rect.width);
	sizes.composer = columns;
	const view = editorView(composer.editor, columns, rect.height - 2);
	useScreenCursor(
		isFocused && !hasDialog ? {x: rect.x + 4 + view.cursor.x, y: rect.y + 1 + view.cursor.y} : undefined,
	);
	const isEmpty = composer.editor.text === '';
	const body: Row[] = view.lines.map((line, index) => ({
		line: [
			span(safe` `),
			index === 0 && view.hidden.above === 0 ? span(safe`> `, isFocused ? 'accent' : 'dim') : span(safe`  `),
			...(isEmpty ? [span(isFocused ? safe`Write to the agent` : safe`Space or Enter writes`, 'dim')] : line),
		],
	}));
	const hidden = view.hidden.above + view.hidden.below;
	return (
		<Pane
			rect={rect}
			title={[span(safe`Message`, isFocused ? 'heading' : 'dim')]}
			right={attachmentWords(composer)}
			{...(hidden > 0 && {bottom: [span(safe`${hidden} more lines`, 'dim')]})}
			isFocused={isFocused}
			body={body}
		/>
	);
}

function attachmentWords({images, files}: Composer): Line {
	const count = images.length + files.length;
	if (count === 0) return [];
	const bytes = [...images, ...files].reduce((sum, {data}) => sum + base64Bytes(data ?? ''), 0);
	return [span(safe`${count} attached, ${byteSize(bytes)}`, 'info')];
}
