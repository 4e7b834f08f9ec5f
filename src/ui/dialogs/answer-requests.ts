import {answerRequest, openRequests, requestsBeside} from '../../actions/agent-requests.ts';
import {notify, notifyFailure} from '../../actions/notify.ts';
import type {AgentRequest, RequestOption} from '../../domain/sessions/agent-request.ts';
import {popDialog} from '../../state/dialogs.ts';
import {setView} from '../../state/view.ts';
import {createEditor} from '../../text/editor/editor-state.ts';
import type {Parts} from '../use-app.ts';
import type {DialogOf} from './dialog-module.ts';
import {changeDialog, topDialog} from './list-layer.ts';
import {strings} from './strings.ts';

// What the answer dialog reads from the service and sends to it. Meanwhile, another request may be on the screen.

export type AnswerDialogState = DialogOf<'answer'>;

const text = strings.answer;

/** The dialog with a request, or another one. Its keys wait until it has been on the screen for a while. */
function withRequest({sessionId, waits}: AnswerDialogState, request: AgentRequest): AnswerDialogState {
	return {
		kind: 'answer',
		...(sessionId !== undefined && {sessionId}),
		request,
		waits: waits + 1,
		top: 0,
		editor: createEditor(''),
		isWriting: request.kind === 'question',
	};
}

function isSameRequest(dialog: AnswerDialogState, {id}: AgentRequest): boolean {
	return dialog.request?.id === id;
}

/** Updates which request of how many it is, or that nobody waits for its answer any more. */
export async function checkIsOpen(parts: Parts<'actions' | 'view'>, request: AgentRequest): Promise<void> {
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

/** Shows the next or previous open request of the session. */
export async function showOther(
	parts: Parts<'actions' | 'view'>,
	request: AgentRequest,
	by: 1 | -1,
): Promise<void> {
	const open = await requestsBeside(parts.actions, request);
	if (!open) {
		changeDialog(parts.view, 'answer', dialog =>
			isSameRequest(dialog, request) ? {...dialog, problem: text.unreadable} : dialog,
		);
		return;
	}
	const index = open.findIndex(({id}) => id === request.id);
	const from = index < 0 && by < 0 ? 0 : index;
	const next = open[(from + by + open.length) % open.length];
	changeDialog(parts.view, 'answer', dialog => {
		if (!isSameRequest(dialog, request) || dialog.isBusy) return dialog;
		if (!next || next.id === request.id) return {...dialog, problem: text.noOther};
		return dialog.editor.text.trim() === '' || dialog.isGone
			? withRequest(dialog, next)
			: {...dialog, problem: text.unsentWords};
	});
}

/** Reads the request that the open dialog is for; without one, the dialog closes with the reason. */
export async function readRequest(
	parts: Parts<'actions' | 'view'>,
	sessionId: string | undefined,
): Promise<void> {
	const {actions, view} = parts;
	const close = () => {
		const dialog = topDialog(view, 'answer');
		if (dialog && !dialog.request) setView(view, popDialog);
	};
	try {
		const [request] = await openRequests(actions, sessionId);
		if (!request) {
			close();
			notify(actions, 'info', text.none);
			return;
		}
		changeDialog(view, 'answer', dialog => (dialog.request ? dialog : withRequest(dialog, request)));
	} catch (error) {
		close();
		notifyFailure(actions, error);
	}
}

/** Answers the request that is on the screen, once. */
export async function sendAnswer(
	parts: Parts<'actions' | 'view'>,
	request: AgentRequest,
	option: RequestOption,
): Promise<void> {
	const change = (next: Partial<AnswerDialogState>) =>
		changeDialog(parts.view, 'answer', dialog =>
			isSameRequest(dialog, request) ? {...dialog, ...next} : dialog,
		);
	const dialog = topDialog(parts.view, 'answer');
	if (!dialog) return;
	const words = dialog.editor.text.trim();
	if (request.kind === 'question' && option === 'once' && words === '') {
		change({problem: text.empty});
		return;
	}
	change({isBusy: true});
	const result = await answerRequest(parts.actions, request, {option, ...(words !== '' && {words})});
	if (!result.isDone) {
		change({isBusy: false, problem: [result.what, result.hint].filter(Boolean).join(' ')});
		return;
	}
	if (result.value === 'gone') {
		change({isBusy: false, isGone: true});
		return;
	}
	const top = topDialog(parts.view, 'answer');
	if (top && isSameRequest(top, request)) setView(parts.view, popDialog);
}
