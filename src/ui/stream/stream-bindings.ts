import {copyText} from '../../actions/copy-text.ts';
import {notify} from '../../actions/notify.ts';
import {showInPager} from '../../actions/user-programs.ts';
import type {Message} from '../../domain/messages/message.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {pushDialog} from '../../state/view/dialogs.ts';
import {viewBehind, withLeft, withOpened} from '../../state/view/shown-item.ts';
import {targets} from '../../state/view/targets.ts';
import {
	isExpanded,
	mainItem,
	setView,
	type View,
	withAllExpanded,
	withExpanded,
	withScrollState,
} from '../../state/view/view.ts';
import {joinSafe, safe} from '../../text/cells/safe.ts';
import {messageLinks} from '../../text/messages/message-links.ts';
import {messageParts} from '../../text/messages/message-parts.ts';
import {messageBlocks, wholeMessage} from '../../text/messages/part-markdown.ts';
import type {PairedMessage} from '../../text/messages/tool-pairs.ts';
import {bindingsIn, bindingsOf, type Enabled, type Now, oncePer} from '../keys/binding.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import {allOf, backTo, hasSession, installedOn} from '../keys/reasons.ts';
import type {AppParts} from '../use-app.ts';
import {endFind, findWords, keepFind, moveFind} from './finding.ts';
import {messageIds, type StreamItem} from './stream-items.ts';
import {canCollapse, currentStream, isTallerThanPane, selectedIn} from './stream-now.ts';
import {withSelectedAnchor} from './viewport.ts';

/** The message that the stream's keys act on, and its stream, if that has the focus. */
export const selectedMessage = oncePer(({parts, view, layout}) => {
	const stream = mainItem(view) && view.focus === 'main' ? currentStream(parts, view, layout) : undefined;
	const item = stream && selectedIn(stream, view);
	return item && {stream, item};
});

/** The computer with the steps that the session is the output of, unless it was opened in another view. */
const stepsBehind = (now: Pick<Now, 'parts' | 'view'>) =>
	viewBehind(now.view) === undefined ? installedOn(now) : undefined;

const hasMessage = (now: Now): Enabled => selectedMessage(now) !== undefined || 'No messages here yet';

const hasCollapsed = (now: Now): Enabled => {
	const message = selectedMessage(now);
	const isCollapsible = message !== undefined && canCollapse(message.stream, message.item, now.view);
	return isCollapsible || 'Nothing in this message is collapsed';
};

const hasFound = ({view}: Now): Enabled => {
	const count = view.find?.sessionId === targets(view).sessionId ? (view.find?.count ?? 0) : undefined;
	return count !== 0 || 'Nothing found yet; matches are highlighted as they arrive';
};

export function streamContexts({shown, find}: View): readonly KeyContext[] {
	if (find?.sessionId === shown?.id && find?.isTyping) return ['find'];
	const hasFind = find !== undefined && find.sessionId === shown?.id;
	return [...(hasFind ? (['found'] as const) : []), 'stream'];
}

/** What a key does for the selected message; it does nothing without one. */
const onMessage = (run: (parts: AppParts, item: StreamItem) => void) => (parts: AppParts, lists: Lists) => {
	const message = selectedMessage(parts.input.now(parts, parts.view.getState(), lists));
	if (message) run(parts, message.item);
};

/** Keys for reading a session: finding, copying. Search results come first, so that their keys take precedence. */
export const streamBindings = bindingsOf([
	...bindingsIn({contexts: ['found'], isEnabled: hasFound}, [
		{
			action: 'find-next',
			keys: ['n'],
			title: 'Next match',
			hint: 'next',
			run: parts => moveFind(parts, 1),
		},
		{
			action: 'find-previous',
			keys: ['N'],
			title: 'Previous match',
			hint: 'previous',
			run: parts => moveFind(parts, -1),
		},
	]),
	{
		action: 'clear-find',
		keys: ['escape'],
		title: 'Close the search, or go back to that of all sessions',
		hint: 'close search',
		hintNow: ({view}) => (view.find?.cameFrom ? 'back' : undefined),
		isWayOut: true,
		contexts: ['found', 'find'],
		run: endFind,
	},
	...bindingsIn({contexts: ['find']}, [
		{
			action: 'keep-find',
			keys: ['enter'],
			title: 'Stay at the match; {find-next} and {find-previous} go to the others',
			hint: 'keep',
			isPaletteHidden: true,
			run: keepFind,
		},
		{
			action: 'find-next',
			keys: ['down', 'ctrl+n'],
			title: 'Next match',
			run: parts => moveFind(parts, 1),
		},
		{
			action: 'find-previous',
			keys: ['up', 'ctrl+p'],
			title: 'Previous match',
			run: parts => moveFind(parts, -1),
		},
	]),
	...bindingsIn({contexts: ['stream']}, [
		{
			action: 'back',
			keys: ['escape'],
			title: 'Back to where it was opened',
			hintNow: now =>
				stepsBehind(now)
					? 'steps'
					: (backTo(now, 'sessions', now.layout.sessions === undefined) ?? 'sessions'),
			run(parts) {
				const view = parts.view.getState();
				const computer = stepsBehind({parts, view});
				if (computer)
					setView(parts.view, now => ({
						...withOpened(now, {kind: 'computer', id: computer.id}, 'main'),
						cursor: {section: 'computers', id: computer.id},
					}));
				else setView(parts.view, withLeft);
			},
		},
		{
			action: 'find',
			keys: ['/'],
			title: 'Find words in the whole session',
			hint: 'find',
			isEnabled: hasSession,
			run(parts) {
				const {sessionId} = targets(parts.view.getState());
				if (sessionId !== undefined) findWords(parts, sessionId, '', true);
			},
		},
	]),
	...bindingsIn({contexts: ['stream'], isEnabled: hasMessage}, [
		{
			action: 'copy-block',
			keys: ['Y'],
			title: 'Copy a code block, command or output from the message',
			run: onMessage((parts, item) => {
				const blocks = messagesOf(item).flatMap(messageBlocks);
				const [only] = blocks;
				if (!only)
					notify(
						parts.actions,
						'info',
						`This message has no code or output; ${parts.keys.label('copy')} copies all of it`,
					);
				else if (blocks.length === 1) void copyText(parts.actions, only.text, `the ${only.label} block`);
				else setView(parts.view, view => pushDialog(view, {kind: 'blocks', blocks, index: 0}));
			}),
		},
		{
			action: 'links',
			keys: ['L'],
			title: 'Links in the message: open or copy one',
			run: onMessage((parts, item) => {
				const links = messageLinks(messagesOf(item));
				if (links.length === 0) notify(parts.actions, 'info', 'This message has no links');
				else setView(parts.view, view => pushDialog(view, {kind: 'links', links, index: 0}));
			}),
		},
		{
			action: 'read-in-pager',
			keys: ['o'],
			title: 'Open the whole message in $PAGER',
			hint: 'pager',
			hintNow(now) {
				const message = selectedMessage(now);
				return message && isTallerThanPane(message.stream, message.item) ? 'pager' : '';
			},
			run: onMessage((parts, item) => {
				const messages = messagesOf(item);
				const text = joinSafe(messages.map(wholeMessage), safe``);
				if (messages.length > 0) void showInPager(parts.actions, text);
			}),
		},
	]),
	{
		action: 'show-hidden',
		keys: ['.'],
		title: 'Show or hide hidden messages',
		contexts: ['stream'],
		run: parts => setView(parts.view, view => ({...view, showsHidden: !view.showsHidden})),
	},
]);

/** Keys for the message at the stream's cursor that come after those for its session. */
export const messageBindings = bindingsIn({contexts: ['stream'], isEnabled: hasMessage}, [
	{
		action: 'expand',
		keys: ['e'],
		title: 'Expand or collapse the message',
		hint: 'expand',
		hintNow(now) {
			const message = selectedMessage(now);
			return message && isExpanded(now.view.expanded, messageIds(message.item)) ? 'collapse' : undefined;
		},
		isEnabled: allOf(hasMessage, hasCollapsed),
		run: onMessage((parts, item) => setView(parts.view, view => withExpanded(view, messageIds(item)))),
	},
	{
		action: 'expand-all',
		keys: ['E'],
		title: 'Expand or collapse all messages',
		run: expandAll,
	},
	{
		action: 'copy',
		keys: ['y'],
		title: 'Copy the message',
		hint: 'copy',
		run: onMessage((parts, item) => void copyText(parts.actions, itemText(item), 'the message')),
	},
]);

/** The selected message stays in its row of the screen. */
function expandAll(parts: AppParts): void {
	const stream = currentStream(parts);
	const scroll = stream && parts.view.getState().scrollStates.get(stream.sessionId);
	setView(parts.view, view => {
		const expanded = withAllExpanded(view);
		if (!stream || !scroll || scroll.isFollowing) return expanded;
		return withScrollState(expanded, stream.sessionId, withSelectedAnchor(stream, scroll));
	});
}
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
