import {type KeyOrigin, localProfile} from '../domain/accounts/profile.ts';
import {retryInstall} from '../domain/computers/provisioning.ts';
import {isOutsideService} from '../domain/known.ts';
import {canDiscard} from '../domain/messages/delivery.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import type {Enabled, KeyState} from '../keys/key-state.ts';
import {isBlocked} from '../state/connection.ts';
import {groupOf, type Lists} from '../state/lists/lists.ts';
import {itemAt} from '../state/lists/needs-items.ts';
import {isUnknown} from '../state/organization/organization.ts';
import {
	nextComparison,
	type OrganizationViewState,
	reportCount,
} from '../state/organization/organization-view-state.ts';
import {sessionsToActOn} from '../state/sessions/marked-sessions.ts';
import {sessionsOn, someRequest} from '../state/sessions/session-counts.ts';
import {isRequesting, isTurnRunning, type SessionItem} from '../state/sessions/session-items.ts';
import {isOpen} from '../state/view/completion.ts';
import {isOnComputer} from '../state/view/cursor.ts';
import type {Dialog} from '../state/view/dialogs.ts';
import {viewBehind} from '../state/view/shown-item.ts';
import {maxSplit, streamsOf} from '../state/view/split.ts';
import {targets} from '../state/view/targets.ts';
import {filterOf, isExpanded, isWriting, replyingTo, type View} from '../state/view/view.ts';
import {type ViewName, views} from '../state/view/views.ts';
import {editorText} from '../text/editor/editor.ts';
import {computersLayout} from './computers/computers-now.ts';
import {keptOf, submitWord} from './dialogs/form/form-state.ts';
import {selectedEvent} from './events/event-intents.ts';
import {type Layout, streamsIn, streamsWidth} from './layout.ts';
import {screenLayout} from './layout-now.ts';
import {outgoingTo, sessionRowsNow} from './sessions/sessions-now.ts';
import {messageIds} from './stream/stream-items.ts';
import {canCollapse, currentStream, isTallerThanPane, selectedIn} from './stream/stream-now.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';

/** The key contexts of the current focus. */
export function contextsOf(view: View, isConnected: boolean): readonly KeyContext[] {
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind === 'new-session' && isOpen(view.completion, targets(view).sessionId))
		return writingContexts(view);
	if (dialog) return [dialog.kind];
	if (view.isFiltering) return ['filter'];
	if (!isConnected) return ['welcome'];
	if (view.page === 'sessions') return isWriting(view) ? writingContexts(view) : ['session-table'];
	if (view.page === 'computers')
		return [view.computers.pane === 'table' ? 'computers' : 'computer', 'computer-table'];
	if (view.page === 'events') return ['events'];
	if (view.page !== 'work') return organizationContexts(view.page, view.organization);
	if (view.focus === 'composer') return writingContexts(view);
	if (view.focus === 'main') return view.shown?.kind === 'computer' ? ['computer'] : streamContexts(view);
	if (view.cursor?.group !== undefined) return ['heading', 'sessions', 'lists'];
	return [view.cursor && isOnComputer(view.cursor) ? 'computers' : 'sessions', 'lists'];
}

function writingContexts(view: View): readonly KeyContext[] {
	if (!isOpen(view.completion, targets(view).sessionId)) return ['composer'];
	return [view.completion?.kind === 'prompts' ? 'prompts' : 'suggestions'];
}

function organizationContexts(
	page: ViewName,
	{tab, group, opened, showsCriteria}: OrganizationViewState,
): readonly KeyContext[] {
	const isOpen = opened[page] !== undefined;
	if (page === 'users')
		return isOpen ? ['users', 'organization'] : ['people', 'opening', 'pages', 'users', 'organization'];
	if (page === 'readiness') {
		if (!isOpen) return ['readiness', 'opening', 'pages', 'organization'];
		return showsCriteria ? ['organization'] : ['report', 'organization'];
	}
	if (page === 'controls')
		return isOpen ? ['controls', 'organization'] : ['controls', 'opening', 'pages', 'organization'];
	if (page !== 'usage') return isOpen ? ['organization'] : ['opening', 'pages', 'organization'];
	if (tab !== 'people' || isOpen) return ['usage', 'organization'];
	return group === 'active' || group === 'unlisted'
		? ['people', 'opening', 'pages', 'usage', 'organization']
		: ['people', 'pages', 'usage', 'organization'];
}

function streamContexts({shown, find, mark}: View): readonly KeyContext[] {
	if (find?.sessionId === shown?.id && find?.isTyping) return ['find'];
	const hasFind = find !== undefined && find.sessionId === shown?.id;
	const isMarking = mark !== undefined && mark.sessionId === shown?.id;
	return [...(isMarking ? (['marking'] as const) : []), ...(hasFind ? (['found'] as const) : []), 'stream'];
}

/** The ids that keys act on, and the state that decides which keys are enabled. */
export function keyState(
	parts: AppParts,
	view: View,
	lists: Lists,
	layout = screenLayout(parts, view, lists),
): KeyState {
	const {sessionId, computerId} = targets(view);
	const item = itemAt(lists.all, targets(view));
	const session = lists.all.sessionsById.get(sessionId ?? '');
	const isGroupCollapsed = isGroupCollapsedAt(view, lists);
	const computer = parts.stores.fleet.getState().computers.get(computerId ?? '')?.computer;
	const retry = retryInstall(computer);
	const installSessionId = computer?.provisioningSteps?.findLast(
		step => step.installSessionId,
	)?.installSessionId;
	const {selected, ...message} = messageState(parts, view, layout);
	const outgoing = view.page === 'sessions' ? outgoingTo(parts.stores, view, sessionId) : selected?.outbox;
	const state = outgoing?.state;
	const composer = parts.composers.getState().bySession.get(sessionId ?? '');
	const outbox = parts.stores.outbox.getState().bySession.get(sessionId ?? '') ?? [];
	const {form} = parts.forms.getState();
	const connection = parts.stores.connection.getState();
	const dialog = view.dialogs.at(-1);
	const isEmbedded = parts.profile.isConnected && parts.profile.host === undefined;
	const behind = views.find(({name}) => name === viewBehind(view));
	return {
		needsCount: lists.all.needs.length,
		isListEmpty: isListEmpty(parts, view, lists),
		clearsFilter: view.page === 'work' && view.focus === 'lists' && view.filter !== '',
		...(view.page === 'sessions' && {targets: targetsOf(parts, view, lists)}),
		...comparisonOf(parts, view),
		isWithoutDays: isWithoutDays(parts, view),
		install: retry.isPossible || (computer ? retry.why : strings.notRead),
		isAsking: item?.episode !== undefined,
		isRead: item?.kind === 'session' && item.isRead === true,
		...(item?.mark && {mark: item.mark.kind}),
		isListHidden:
			view.page === 'computers'
				? computersLayout(layout, view.computers.pane).table === undefined
				: layout.sessions === undefined,
		...(behind && {viewBehind: behind.title}),
		isSecondPage: isSecondPage(view),
		hasRequest: hasRequest(lists, sessionId),
		streamCount: streamsOf(view).length,
		split: canSplit(view, (layout.main ?? layout.sessions)?.width ?? layout.columns, sessionId),
		...(view.find?.sessionId === sessionId && {foundCount: view.find?.count ?? 0}),
		...message,
		canResend: state === 'failed' || state === 'unconfirmed' || state === 'queued',
		canTakeBack: outgoing !== undefined && canDiscard(outgoing),
		queuedCount: outbox.filter(({state}) => state === 'queued').length,
		attachmentCount: composer ? composer.images.length + composer.files.length : 0,
		otherDraftCount: composer?.others ?? 0,
		hasIncidents: (connection.incidents ?? []).length > 0,
		isTurnRunning: session !== undefined && replyingTo(view) === undefined && isTurnRunning(session),
		isComposerEmpty: isComposerEmpty(parts, sessionId),
		canUndo: parts.undos.length > 0,
		isOutside: isOutsideService(parts.stores.fleet.getState().sessions.get(sessionId ?? '')),
		terminal: terminalOf(session),
		continuation: continuationOf(session, isEmbedded),
		isEmbedded,
		hasWorktree: session?.known?.session?.workFolder?.isWorktree === true,
		isEventSelected: selectedEvent(parts, view) !== undefined,
		isBlocked: isBlocked(connection),
		isDown: isBlocked(connection) || connection.outage !== undefined,
		isKeyRefused: connection.state === 'unauthorized',
		canReplaceKey: canReplaceKey(replacedKeyFrom(parts, view)),
		...profileAt(parts, view),
		...questionState(view),
		isConnected: parts.profile.isConnected,
		...(dialog?.kind === 'hooks' && {hasHookChange: !dialog.result && (dialog.plan?.changes ?? 0) > 0}),
		...(dialog?.kind === 'diff' && changesState(dialog)),
		...(dialog?.kind === 'new-session' && {newSessionPart: dialog.part}),
		...(form && {
			submitWord: submitWord(form),
			keepsForm: dialog?.kind === 'form' && keptOf(form) !== undefined,
			hasOtherFields: form.spec.fields.length > 1,
		}),
		...(isGroupCollapsed !== undefined && {isGroupCollapsed}),
		...(sessionId !== undefined && {sessionId}),
		...(computerId !== undefined && {
			computerId,
			sessionCount: sessionsOn(lists.all.sessions, computerId).sessions,
		}),
		...(installSessionId !== undefined && {installSessionId}),
	};
}

function changesState({isSinceBase, diff}: Extract<Dialog, {kind: 'diff'}>): Partial<KeyState> {
	if (!diff) return {isSinceBase};
	const {files = [], problem} = diff;
	return {isSinceBase, hasChanges: files.length > 0, hasRepository: !problem || problem === 'no-base'};
}

function isSecondPage({page, organization}: View): boolean {
	const {showsInForce, showsCriteria} = organization;
	return page === 'controls' ? showsInForce : page === 'readiness' && showsCriteria;
}

/** The message that the stream's keys act on, if the stream has the focus, and what can be done with it. */
function messageState(parts: AppParts, view: View, layout: Layout) {
	const hasFocus = view.page === 'work' && view.focus === 'main';
	const stream = hasFocus ? currentStream(parts, view, layout) : undefined;
	const selected = stream && selectedIn(stream, view);
	if (!selected)
		return {isMessageSelected: false, canCollapse: false, isMessageExpanded: false, isMessageTall: false};
	return {
		selected,
		isMessageSelected: true,
		canCollapse: canCollapse(stream, selected, view),
		isMessageExpanded: isExpanded(view.expanded, messageIds(selected)),
		isMessageTall: isTallerThanPane(stream, selected),
	};
}

/** Whether the session's composer has no text but blanks. */
export function isComposerEmpty({composers}: Pick<AppParts, 'composers'>, sessionId = ''): boolean {
	const composer = composers.getState().bySession.get(sessionId);
	return composer === undefined || editorText(composer.editor).trim() === '';
}

/** Whether the view's list has nothing to open or to filter. */
function isListEmpty(parts: AppParts, view: View, lists: Lists): boolean {
	if (filterOf(view) !== '') return false;
	const {needs, sessions, groups, computers, hidden} = lists;
	const isHiding = hidden.sessions + hidden.computers > 0;
	if (view.page === 'work') return [needs, sessions, groups, computers].every(isEmpty) && !isHiding;
	if (view.page === 'sessions') return isEmpty(sessionRowsNow(parts, view, lists));
	if (view.page === 'computers') return isEmpty(lists.all.computers);
	if (view.page === 'events') return isEmpty(parts.stores.events.getState().entries);
	const {people, ...organization} = parts.stores.organization.getState();
	if (view.page === 'usage') return people.data?.people.activeCount === 0;
	return organization[view.page].data?.length === 0;
}

/** Whether the service has no data for the days on the screen; false before they are read. */
function isWithoutDays({stores}: AppParts, {page, organization: {tab}}: View): boolean {
	const {usage, people} = stores.organization.getState();
	if (page === 'users' || (page === 'usage' && tab === 'people')) return people.data?.people.knownDays === 0;
	return page === 'usage' && usage.data !== undefined && isUnknown(usage.data.now);
}

const isEmpty = (list: readonly unknown[]) => list.length === 0;

/** Where the key comes from that would be replaced: the one of the selected profile, or of the open one. */
function replacedKeyFrom({profile}: AppParts, {dialogs}: View): KeyOrigin | undefined {
	const dialog = dialogs.at(-1);
	return dialog?.kind === 'profiles' ? dialog.entries[dialog.index]?.keyFrom : profile.keyFrom;
}

/** Whether a key from there can be replaced here. */
function canReplaceKey(keyFrom: KeyOrigin | undefined): Enabled {
	if (keyFrom === 'environment') return strings.keyInEnvironment;
	return keyFrom === 'file' || strings.keyElsewhere;
}

/** What can be done with the selected profile, if there is one. */
function profileAt({profile}: AppParts, {dialogs}: View): Pick<KeyState, 'profile'> {
	const dialog = dialogs.at(-1);
	const entry = dialog?.kind === 'profiles' ? dialog.entries[dialog.index] : undefined;
	if (!entry) return {};
	const {embedded, unsaved, isOpen, leaveFirst, isDefault} = strings.profiles;
	const isCurrent = entry.name === profile.name;
	const canRemove = isCurrent ? leaveFirst : entry.name !== localProfile || embedded;
	return {
		profile: {
			canOpen: !isCurrent || isOpen,
			canEdit: entry.isUnsaved ? unsaved : !entry.isLocal || embedded,
			canRemove,
			canBeDefault: !entry.isDefault || isDefault,
		},
	};
}

/** What the keys of the open question or agent request do now. */
function questionState({
	dialogs,
}: View): Pick<KeyState, 'isQuestionEarly' | 'isRequestClosed' | 'isAnswerWritten'> {
	const dialog = dialogs.at(-1);
	if (dialog?.kind === 'confirm') return {isQuestionEarly: dialog.isUnexpected === true && !dialog.isReady};
	if (dialog?.kind !== 'answer') return {};
	const {request, isBusy, isGone, isWriting} = dialog;
	const isRequestClosed = !request || isBusy === true || (isGone === true && !isWriting);
	return {isRequestClosed, isAnswerWritten: isWriting};
}

/** Whether the group of the cursor's row in the lists is collapsed. */
function isGroupCollapsedAt({cursor}: View, lists: Lists): boolean | undefined {
	if (cursor?.group !== undefined) return true;
	if (cursor?.section !== 'sessions' || cursor.id === undefined) return undefined;
	return groupOf(lists, cursor.id)?.isCollapsed;
}

/** Whether an agent waits for an answer; a session that asks in its own terminal can only be answered there. */
function hasRequest({all}: Lists, sessionId: string | undefined): boolean {
	const item = all.sessionsById.get(sessionId ?? '');
	const asks = item?.state === 'permission' || item?.state === 'input';
	if (item?.client !== undefined && asks && !isRequesting(item)) return false;
	return someRequest(all.sessions);
}

/** Whether there may be a terminal to go to, or why not. */
function terminalOf(item: SessionItem | undefined): Enabled {
	if (item?.client === undefined) return strings.terminal.isAtService;
	if (item.state === 'ended') return strings.terminal.hasEnded;
	return item.signal?.process !== undefined || strings.terminal.isUnknown;
}

/** Whether the embedded service may continue the session of another terminal, or why not. */
function continuationOf(item: SessionItem | undefined, isEmbedded: boolean): Enabled {
	if (item?.client === undefined) return strings.terminal.isAtService;
	if (!isEmbedded) return strings.terminal.notEmbedded;
	return item.state === 'ended' || item.state === 'unknown' || strings.terminal.stillRuns;
}

function targetsOf(parts: AppParts, view: View, lists: Lists): KeyState['targets'] {
	const {sessions} = view;
	const items = sessionsToActOn(sessions, lists.all.sessionsById);
	return {
		count: items.length,
		asking: items.filter(({episode}) => episode !== undefined).length,
		atService: items.filter(({client}) => client === undefined).length,
		marked: sessions.marked.size,
		isMarked: sessions.marked.has(sessions.cursor ?? ''),
		isLast: sessionRowsNow(parts, view, lists).at(-1)?.item.id === sessions.cursor,
	};
}

function comparisonOf({stores}: AppParts, {page, organization}: View): Pick<KeyState, 'nextComparison'> {
	if (page !== 'readiness') return {};
	const {data} = stores.organization.getState().readiness;
	const next = nextComparison(organization, reportCount(organization, data));
	return next === undefined ? {} : {nextComparison: next};
}

/** Whether the session can be added to the split, or removed from it. */
function canSplit(view: View, mainWidth: number, sessionId: string | undefined): Enabled {
	if (sessionId === undefined || view.split.includes(sessionId)) return true;
	if (view.shown?.kind !== 'session') return true;
	if (view.shown.id === sessionId) return strings.split.isOpen;
	const count = streamsOf(view).length + 1;
	if (count > maxSplit) return strings.split.full(maxSplit);
	if (streamsIn(mainWidth) >= count) return true;
	return strings.split.tooNarrow(count, streamsWidth(count), mainWidth);
}
