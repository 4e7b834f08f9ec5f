import {copyText} from '../../actions/copy-text.ts';
import {showInPager} from '../../actions/hand-over-file.ts';
import {notify} from '../../actions/notify.ts';
import {pushDialog} from '../../state/dialogs.ts';
import {targets} from '../../state/targets.ts';
import {messageParts} from '../../text/messages/message-parts.ts';
import {messageBlocks, wholeMessage} from '../../text/messages/part-markdown.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {endFind, findWords, moveFind} from './finding.ts';
import {beginMark, copyMarked, endMark} from './marking.ts';
import type {StreamItem} from './stream-items.ts';
import {selectedItem} from './stream-now.ts';
import {strings} from './strings.ts';

/** Actions for reading a session: find, copy and mark. */
export const streamIntents = {
	find(parts: AppParts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId !== undefined) findWords(parts, sessionId, '', true);
	},
	'find-next': (parts: AppParts) => moveFind(parts, 1),
	'find-previous': (parts: AppParts) => moveFind(parts, -1),
	'clear-find': endFind,
	copy(parts: AppParts) {
		const item = selectedItem(parts);
		if (item) void copyText(parts.actions, itemText(item), strings.copied.message);
	},
	'copy-block'(parts: AppParts) {
		const entry = selectedItem(parts)?.entry;
		const blocks = entry?.kind === 'message' ? messageBlocks(entry.message) : [];
		const [only] = blocks;
		if (!only) notify(parts.actions, 'info', strings.copied.noBlock(parts.keys.label('copy')));
		else if (blocks.length === 1) void copyText(parts.actions, only.text, strings.copied.block(only.label));
		else setView(parts.view, view => pushDialog(view, {kind: 'blocks', blocks, index: 0}));
	},
	'read-in-pager'(parts: AppParts) {
		const entry = selectedItem(parts)?.entry;
		if (entry?.kind === 'message') void showInPager(parts.actions, wholeMessage(entry.message));
	},
	mark: beginMark,
	'end-mark': endMark,
	'copy-marked': copyMarked,
	'show-hidden'(parts: AppParts) {
		setView(parts.view, view => ({...view, showsHidden: !view.showsHidden}));
	},
};

/** The text that copying a message yields: its text parts, raw. */
export function itemText({entry}: StreamItem): string {
	if (entry.kind === 'gap') return '';
	return messageParts(entry.message, Number.POSITIVE_INFINITY)
		.flatMap(part => ('text' in part ? [part.text] : []))
		.join('\n');
}
