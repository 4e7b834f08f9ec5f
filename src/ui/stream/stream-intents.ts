import {copyText} from '../../actions/copy-text.ts';
import {showInPager} from '../../actions/hand-over-file.ts';
import {notify} from '../../actions/notify.ts';
import type {Message} from '../../domain/messages/message.ts';
import {pushDialog} from '../../state/view/dialogs.ts';
import {targets} from '../../state/view/targets.ts';
import {setView, withAllExpanded, withScrollState} from '../../state/view/view.ts';
import {joinSafe, safe} from '../../text/cells/safe.ts';
import {messageLinks} from '../../text/messages/message-links.ts';
import {messageParts} from '../../text/messages/message-parts.ts';
import {messageBlocks, wholeMessage} from '../../text/messages/part-markdown.ts';
import type {PairedMessage} from '../../text/messages/tool-pairs.ts';
import type {AppParts} from '../use-app.ts';
import {endFind, findWords, moveFind} from './finding.ts';
import {beginMark, copyMarked, endMark} from './marking.ts';
import type {StreamItem} from './stream-items.ts';
import {currentStream, selectedItem} from './stream-now.ts';
import {strings} from './strings.ts';
import {withSelectedAnchor} from './viewport.ts';

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
		const item = selectedItem(parts);
		const blocks = item ? messagesOf(item).flatMap(messageBlocks) : [];
		const [only] = blocks;
		if (!only) notify(parts.actions, 'info', strings.copied.noBlock(parts.keys.label('copy')));
		else if (blocks.length === 1) void copyText(parts.actions, only.text, strings.copied.block(only.label));
		else setView(parts.view, view => pushDialog(view, {kind: 'blocks', blocks, index: 0}));
	},
	links(parts: AppParts) {
		const item = selectedItem(parts);
		const links = item ? messageLinks(messagesOf(item)) : [];
		if (links.length === 0) notify(parts.actions, 'info', strings.copied.noLink);
		else setView(parts.view, view => pushDialog(view, {kind: 'links', links, index: 0}));
	},
	'read-in-pager'(parts: AppParts) {
		const item = selectedItem(parts);
		const messages = item ? messagesOf(item) : [];
		const text = joinSafe(messages.map(wholeMessage), safe``);
		if (messages.length > 0) void showInPager(parts.actions, text);
	},
	/** The selected message stays in its row of the screen. */
	'expand-all'(parts: AppParts) {
		const stream = currentStream(parts);
		const scroll = stream && parts.view.getState().scrollStates.get(stream.sessionId);
		setView(parts.view, view => {
			const expanded = withAllExpanded(view);
			if (!stream || !scroll || scroll.isFollowing) return expanded;
			return withScrollState(expanded, stream.sessionId, withSelectedAnchor(stream, scroll));
		});
	},
	mark: beginMark,
	'end-mark': (parts: AppParts) => endMark(parts.view),
	'copy-marked': copyMarked,
	'show-hidden'(parts: AppParts) {
		setView(parts.view, view => ({...view, showsHidden: !view.showsHidden}));
	},
};

/** The text that copying a message yields: its text parts, raw. */
export function itemText(item: StreamItem): string {
	return messagesOf(item)
		.flatMap(message => messageParts(message, Number.POSITIVE_INFINITY))
		.flatMap(part => ('text' in part ? [part.text] : []))
		.join('\n');
}

/** The messages of an item in order, each followed by the results of its calls. */
function messagesOf({entry, messages}: StreamItem): readonly Message[] {
	if (entry.kind === 'gap') return [];
	return (
		messages?.flatMap(({message, results}) => [message, ...foreignResults(message, results)]) ?? [
			entry.message,
		]
	);
}

/** Results that stand in other messages, without what else those say. */
function foreignResults(message: Message, results: PairedMessage['results']): Message[] {
	return [...results.values()].flatMap(({message: other, index}) =>
		other === message ? [] : [{...other, content: other.content?.slice(index, index + 1) ?? []}],
	);
}
