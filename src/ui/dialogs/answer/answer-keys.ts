import type {AgentRequest, RequestOption} from '../../../domain/sessions/agent-request.ts';
import type {KeyPress} from '../../../keys/key-press.ts';
import {isRequesting} from '../../../state/sessions/session-items.ts';
import {popDialog, pushDialog} from '../../../state/view/dialogs.ts';
import {targets} from '../../../state/view/targets.ts';
import {setView} from '../../../state/view/view.ts';
import {editorReduce} from '../../../text/editor/editor.ts';
import {createEditor, type EditorAction} from '../../../text/editor/editor-state.ts';
import {editorActionOf} from '../../composer/editing-bindings.ts';
import type {KeyLayer} from '../../input.ts';
import {type ActionName, bindingsIn, type Enabled, type Now} from '../../keys/binding.ts';
import {fieldText} from '../../kit/text-field.tsx';
import {layoutNow} from '../../layout-now.ts';
import type {AppParts} from '../../use-app.ts';
import {listsNow} from '../../use-lists.ts';
import {heldWait} from '../dialog-module.ts';
import {changeDialog, listLayer, topDialog} from '../list-layer.ts';
import {scrolledTextLayer} from '../scrolled-text.tsx';
import {strings} from '../strings.ts';
import {answerLayout, hasWords, isRead, listOf} from './answer-layout.ts';
import {type AnswerDialogState, askNext, readRequest, sendAnswer, showOther} from './answer-requests.ts';
import {keepWords} from './answer-words.ts';
import {answerAt} from './question-list.ts';
import {type KeyedOption, keyedOptions, namedOptions, optionsOf} from './request-lines.ts';

const text = strings.answer;
const notOffered = "This request doesn't offer that answer.";

function isAnswer(action: ActionName | undefined): boolean {
	return (
		namedOptions.some(([, name]) => name === action) ||
		action === 'answer-other' ||
		action === 'answer-mark' ||
		action === 'answer-question'
	);
}

/** Keys of the dialog. None answers while keys wait, nor if it was read together with others. */
export function answerLayer(parts: AppParts, dialog: AnswerDialogState): KeyLayer {
	const change = (next: (dialog: AnswerDialogState) => AnswerDialogState) =>
		changeDialog(parts.view, 'answer', next);
	const edit = (action: EditorAction) =>
		change(now => {
			// What is typed on after Enter takes it back.
			const {problem: _, pressed: __, ...rest} = now;
			return {...rest, editor: editorReduce(now.editor, action)};
		});
	const {lines, rows, height} = answerLayout(dialog, layoutNow(parts), parts.keys);
	const list = scrolledTextLayer(parts, dialog, height, () => lines.length);

	/**
	 * Answers once it is clear that the key isn't held; `chosen` is the answer of a list. An early or held key makes all
	 * keys wait again.
	 */
	function answerWith(
		request: AgentRequest,
		option: RequestOption | undefined,
		isAlone: boolean,
		chosen?: string,
	): void {
		const problem = problemWith(request, option, isAlone);
		if (problem !== undefined || !option) {
			const isEarly = problem === text.early || problem === text.held;
			change(({pressed: _, ...now}) => ({
				...now,
				problem: problem ?? notOffered,
				...(isEarly && {isReady: false, waits: now.waits + 1}),
			}));
			return;
		}
		const pressed = {word: option.word};
		change(({problem: _, ...now}) => ({...now, pressed}));
		parts.actions.clock.after(heldWait, () => {
			if (topDialog(parts.view.getState(), 'answer')?.pressed === pressed)
				void sendAnswer(parts, request, option.word, chosen);
		});
	}

	function problemWith(
		request: AgentRequest,
		option: RequestOption | undefined,
		isAlone: boolean,
	): string | undefined {
		const allows = option?.allows === true && request.kind !== 'question';
		if (dialog.isGone) return text.gone;
		if (!dialog.isReady) return dialog.problem === text.held ? text.held : text.early;
		if (dialog.pressed) return text.held;
		if (!isAlone) return "That key came together with others and didn't count: press it again.";
		if (allows && hasWords(dialog))
			return 'Your words are sent only with a denial: delete them to allow this.';
		if (!option) return notOffered;
		return allows && !isRead(dialog, layoutNow(parts), parts.keys)
			? 'Read the request to its end first: only part of it is shown.'
			: undefined;
	}

	function optionNamed(word: string): RequestOption | undefined {
		return dialog.request && optionsOf(dialog.request).find(option => option.word === word);
	}

	/** Once the field is left, keys wait again: a letter meant for it must not answer. Beside words, none allows. */
	function toggleWriting(): void {
		const waits = dialog.isWriting && (!hasWords(dialog) || dialog.request?.kind === 'question');
		change(now => ({
			...now,
			isWriting: !now.isWriting,
			...(waits && {isReady: false, waits: now.waits + 1}),
		}));
	}

	/** Moves the cursor to a row of the list, and the row onto the screen. */
	function moveTo(cursor: number): void {
		const [from = 0, to = 0] = rows[cursor] ?? [];
		change(({problem: _, ...now}) => ({
			...now,
			cursor,
			top: Math.max(Math.min(now.top, from), to - height),
		}));
	}

	/** What a key does in the list of a question's answers; false if nothing. */
	function chooseFrom(
		request: AgentRequest,
		{question, count}: NonNullable<ReturnType<typeof listOf>>,
		press: KeyPress,
		isAlone: boolean,
	): boolean {
		const {cursor = 0, marked = [], given = []} = dialog;
		const action = parts.keys.find(['answer'], press.name)?.action;
		const isStep = action === 'list-down' || action === 'list-up' || /^[jk]+$/.test(press.text);
		if (isStep) {
			const moves = {context: 'answer', index: cursor, count: () => count, moved: moveTo} as const;
			listLayer(parts, moves).handle(press, isAlone);
			return true;
		}
		if (action === 'answer-back') {
			if (given.length > 0) change(now => askNext(now, given.slice(0, -1)));
			return true;
		}
		const isPick = action === 'answer-other';
		if (!isPick && action !== 'answer-question' && action !== 'answer-mark') return false;
		const row = isPick ? Number(press.name) - 1 : cursor;
		if (row >= count) return true;
		const [, to = 0] = rows[row] ?? [];
		moveTo(row);
		// What wasn't on the screen is shown first.
		if (to > dialog.top + height) return true;
		if (row >= question.choices.length) toggleWriting();
		else if (question.takesSeveral && action !== 'answer-question') {
			const others = marked.filter(one => one !== row);
			change(now => ({...now, marked: others.length < marked.length ? others : [...marked, row].sort()}));
		} else answerWith(request, optionNamed('once'), isAlone, answerAt(question, row, marked));
		return true;
	}

	function write(press: KeyPress): void {
		const editing = editorActionOf(parts.keys.find(['form'], press.name)?.action);
		if (press.text !== '') edit({type: 'insert', text: fieldText(press.text)});
		else if (editing) edit(editing);
		else list.handle(press, true);
	}

	return {
		isModal: true,
		handle(press, isAlone) {
			const {request, isWriting, isBusy, isGone} = dialog;
			const action = parts.keys.find(['answer'], press.name)?.action;
			// Whoever still writes when the request ends goes on, for a draft.
			const isOver = !request || isBusy || (isGone && !isWriting);
			const isTyped = isWriting && press.text !== '';
			if (dialog.pressed && !isAnswer(action)) change(({pressed: _, ...now}) => now);
			const isOther = action === 'answer-next' || action === 'answer-previous';
			if (isOther && request && !isBusy && (isGone || !isTyped)) {
				void showOther(parts, request, action === 'answer-next' ? 1 : -1);
				return 'consumed';
			}
			if (action === 'cancel' && !isTyped && request && !isBusy) {
				setView(parts.view, popDialog);
				keepWords(parts, request, dialog.editor.text);
				return 'consumed';
			}
			if (!request && isAnswer(action)) change(now => ({...now, problem: text.early}));
			if (isOver || (action === 'cancel' && !isTyped)) return list.handle(press, isAlone);
			const listed = listOf(dialog);
			if (isTyped) write(press);
			else if (listed && chooseFrom(request, listed, press, isAlone)) return 'consumed';
			else if (action === 'answer-words') toggleWriting();
			else if (action === 'answer-question') {
				if (request.kind === 'question') answerWith(request, optionNamed('once'), isAlone);
				else if (isWriting && hasWords(dialog)) answerWith(request, optionNamed('no'), isAlone);
				else if (isWriting) toggleWriting();
			} else if (isWriting) write(press);
			else if (action === 'answer-no') answerWith(request, optionNamed('no'), isAlone);
			else if (action === 'answer-once' || action === 'answer-always' || action === 'answer-other') {
				const isChosen = (one: KeyedOption) => one.action === action || one.number === press.name;
				if (request.kind !== 'question')
					answerWith(request, keyedOptions(request, parts.keys).find(isChosen)?.option, isAlone);
			} else {
				change(({problem: _, ...now}) => now);
				return list.handle(press, isAlone);
			}
			return 'consumed';
		},
		paste(pasted) {
			if (dialog.isWriting) edit({type: 'insert', text: fieldText(pasted)});
			return 'consumed';
		},
	};
}

/** Whether the open request accepts no words: it isn't read yet, is being answered, or is over. */
const takesWords = ({view}: Now): Enabled => {
	const dialog = topDialog(view, 'answer');
	if (!dialog) return true;
	const {request, isBusy, isGone, isWriting} = dialog;
	const isClosed = !request || isBusy || (isGone && !isWriting);
	return !isClosed || "You can't add words to this request now";
};

/** Keys of the dialog, all done by `answerLayer`: what one does depends on the request and on what is typed. */
export const answerBindings = bindingsIn({contexts: ['answer'], isPaletteHidden: true}, [
	// The dialog names the keys that answer, once they count; the footer doesn't.
	{action: 'answer-once', keys: ['y'], title: 'Allow it once'},
	{action: 'answer-always', keys: ['a'], title: 'Allow it from now on, as the request says'},
	{
		action: 'answer-other',
		keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
		title: 'Choose an answer that the request or question lists, by its number',
	},
	{action: 'answer-mark', keys: ['space'], title: 'Mark an answer of a question that takes several'},
	{action: 'answer-back', keys: ['backspace'], title: 'The previous question of the request'},
	{action: 'answer-no', keys: ['n'], title: 'Deny it'},
	{
		action: 'answer-words',
		keys: ['tab'],
		title: 'Write to the agent along with the answer, or stop writing',
		hint: 'write',
		hintNow: ({view}) => (topDialog(view, 'answer')?.isWriting ? 'back' : undefined),
		isEnabled: takesWords,
	},
	{
		action: 'answer-question',
		// As other fields are sent.
		keys: ['enter', 'ctrl+s'],
		title: 'Send the answer to a question; deny a permission with your words',
	},
	{action: 'answer-next', keys: [']'], title: 'The next open request of the session'},
	{action: 'answer-previous', keys: ['['], title: 'The previous open request of the session'},
]);

/** Opens what the agent of the session at the cursor asks, or the oldest request of any. */
export function answerRequest(parts: AppParts): void {
	const target = targets(parts.view.getState()).sessionId;
	const item = listsNow(parts).all.sessionsById.get(target ?? '');
	const sessionId = item && isRequesting(item) ? target : undefined;
	setView(parts.view, view =>
		pushDialog(view, {
			kind: 'answer',
			sessionId,
			waits: 0,
			top: 0,
			editor: createEditor(''),
			isWriting: false,
		}),
	);
	void readRequest(parts, sessionId);
}
