import {answerRequest, openRequests, requestsBeside} from '../../../actions/agent-requests.ts';
import {notify, notifyFailure} from '../../../actions/notify.ts';
import type {AgentRequest, RequestAnswer} from '../../../domain/sessions/agent-request.ts';
import {popDialog} from '../../../state/view/dialogs.ts';
import {withNextWaiting, withSelected} from '../../../state/view/shown-item.ts';
import {setView} from '../../../state/view/view.ts';
import {createEditor} from '../../../text/editor/editor-state.ts';
import type {AppParts} from '../../use-app.ts';
import {listsNow} from '../../use-lists.ts';
import type {DialogOf} from '../dialog-module.ts';
import {changeDialog, topDialog} from '../list-layer.ts';
import {strings} from '../strings.ts';
import {keepWords} from './answer-words.ts';
import {answerAt, questionOf, rowCount} from './question-list.ts';

// What the answer dialog requests from the service. Until the response, another request may come onto the screen.

export type AnswerDialogState = DialogOf<'answer'>;

const text = strings.answer;

/** The dialog with a request, or another one. Its keys wait until it has been on the screen for a while. */
function withRequest({sessionId, waits}: AnswerDialogState, request: AgentRequest): AnswerDialogState {
	return {
		kind: 'answer',
		sessionId,
		request,
		waits: waits + 1,
		top: 0,
		editor: createEditor(''),
		isWriting: request.kind === 'question' && isWritten({request}),
	};
}

/** Whether the question that is asked now has no list of answers. */
function isWritten(dialog: Pick<AnswerDialogState, 'request' | 'given'>): boolean {
	const question = questionOf({...dialog, isWriting: false});
	return question === undefined ? dialog.request?.questions === undefined : rowCount(question) === 0;
}

function isSameRequest(dialog: AnswerDialogState, {id}: AgentRequest): boolean {
	return dialog.request?.id === id;
}

/** Changes the dialog, if the request is still the one on the screen. */
function changeRequest(parts: AppParts, request: AgentRequest, next: Partial<AnswerDialogState>): void {
	changeDialog(parts.view, 'answer', dialog =>
		isSameRequest(dialog, request) ? {...dialog, ...next} : dialog,
	);
}

/** Updates the request's position among the open ones, or that its agent no longer waits for an answer. */
export async function checkIsOpen(parts: AppParts, request: AgentRequest): Promise<void> {
	const open = await requestsBeside(parts.actions, request);
	if (!open) return;
	const index = open.findIndex(({id}) => id === request.id);
	changeDialog(parts.view, 'answer', dialog => {
		if (!isSameRequest(dialog, request)) return dialog;
		const position = {number: index + 1, count: open.length};
		if (index >= 0) return {...dialog, position};
		return dialog.isBusy ? dialog : {...dialog, position, isGone: true};
	});
}

export async function showOther(parts: AppParts, request: AgentRequest, by: 1 | -1): Promise<void> {
	const open = await requestsBeside(parts.actions, request);
	if (!open) return changeRequest(parts, request, {problem: "The session's requests can't be read now."});
	const index = open.findIndex(({id}) => id === request.id);
	const from = index < 0 && by < 0 ? 0 : index;
	const next = open[(from + by + open.length) % open.length];
	const dialog = topDialog(parts.view.getState(), 'answer');
	if (!dialog || !isSameRequest(dialog, request) || dialog.isBusy) return;
	const words = dialog.editor.text;
	const hasOther = next !== undefined && next.id !== request.id;
	const problem = hasOther
		? 'Send your words, or delete them, before you go to another request.'
		: 'No other request is open in this session.';
	if (!hasOther || (words.trim() !== '' && !dialog.isGone)) return changeRequest(parts, request, {problem});
	keepWords(parts, request, words);
	changeDialog(parts.view, 'answer', now => withRequest(now, next));
}

/** Reads the request that the open dialog is for; without one, the dialog closes with the reason. */
export async function readRequest(parts: AppParts, sessionId: string | undefined): Promise<void> {
	const {actions, view} = parts;
	const close = () => {
		const dialog = topDialog(view.getState(), 'answer');
		if (dialog && !dialog.request) setView(view, popDialog);
	};
	try {
		const [request] = await openRequests(actions, sessionId);
		if (!request) {
			close();
			notify(actions, 'info', 'No request is open here any more');
			return;
		}
		const dialog = topDialog(view.getState(), 'answer');
		if (!dialog || dialog.request) return;
		// Whoever pressed a key too soon still reads that it didn't count.
		changeDialog(view, 'answer', now => ({...withRequest(now, request), problem: now.problem}));
		const subject = {kind: 'session', id: request.sessionId} as const;
		// The cursor is where the answer goes.
		setView(view, now => ({...withSelected({...now, dialogs: []}, subject), dialogs: now.dialogs}));
	} catch (error) {
		close();
		notifyFailure(actions, error);
	}
}

/**
 * Answers the request that is on the screen, once, or one of its questions before the last. `chosen` is the answer of a
 * list, instead of what was written. If the dialog was closed meanwhile, a notice says what went wrong.
 */
export async function sendAnswer(
	parts: AppParts,
	request: AgentRequest,
	option: string,
	chosen?: string,
): Promise<void> {
	const change = (next: Partial<AnswerDialogState>) => changeRequest(parts, request, next);
	const dialog = topDialog(parts.view.getState(), 'answer');
	if (!dialog) return;
	const typed = dialog.editor.text.trim();
	let answer: RequestAnswer = {option, words: typed || undefined};
	if (request.kind === 'question' && option === 'once') {
		const words = chosen ?? writtenAnswer(dialog, typed);
		if (words === '') return change({problem: 'Type an answer first.', pressed: undefined});
		const given = [...(dialog.given ?? []), words];
		if (given.length < (request.questions?.length ?? 1)) {
			changeDialog(parts.view, 'answer', now => (isSameRequest(now, request) ? askNext(now, given) : now));
			return;
		}
		answer = given.length > 1 ? {option, answers: given} : {option, words};
	}
	change({isBusy: true, pressed: undefined});
	const subject = {kind: 'session', id: request.sessionId} as const;
	// Once it is answered, the session leaves the lists of what needs the user.
	const lists = listsNow(parts);
	const result = await answerRequest(parts.actions, request, answer);
	const top = topDialog(parts.view.getState(), 'answer');
	const isOpen = top !== undefined && isSameRequest(top, request);
	if (result.isDone && result.value === 'answered') {
		const isLast = (top?.position?.count ?? 1) < 2;
		if (isOpen)
			setView(parts.view, view =>
				isLast ? withNextWaiting(popDialog(view), lists, subject) : popDialog(view),
			);
		return;
	}
	// It may have been closed, and opened again since.
	const wasClosed = !isOpen || top.isBusy !== true;
	if (wasClosed) keepWords(parts, request, typed);
	if (!result.isDone) change({isBusy: false, problem: [result.what, result.hint].filter(Boolean).join(' ')});
	else {
		change({isBusy: false, isGone: true});
		if (wasClosed) notify(parts.actions, 'bad', text.gone);
	}
}

/** What was written, behind the answers that are marked. */
function writtenAnswer(dialog: AnswerDialogState, typed: string): string {
	const question = questionOf(dialog);
	const {marked = []} = dialog;
	const labels = question && marked.length > 0 ? answerAt(question, -1, marked) : undefined;
	return [labels, typed].filter(Boolean).join(', ');
}

/** The dialog with another question of its request, by the answers that were given. Its keys wait. */
export function askNext(dialog: AnswerDialogState, given: readonly string[]): AnswerDialogState {
	const {pressed: _, problem: __, ...rest} = dialog;
	return {
		...rest,
		given,
		cursor: 0,
		marked: [],
		top: 0,
		editor: createEditor(''),
		isWriting: isWritten({...dialog, given}),
		isReady: false,
		waits: dialog.waits + 1,
	};
}
