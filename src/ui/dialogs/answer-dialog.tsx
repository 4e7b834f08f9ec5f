import {useEffect} from 'react';
import {useStore} from 'zustand';
import {answerRequest, openRequests, requestsBeside} from '../../actions/agent-requests.ts';
import {notify, notifyFailure} from '../../actions/notify.ts';
import type {AgentRequest, RequestOption} from '../../domain/sessions/agent-request.ts';
import type {ActionName} from '../../keys/bindings.ts';
import type {KeyMap} from '../../keys/key-map.ts';
import type {KeyPress} from '../../keys/key-press.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog, pushDialog} from '../../state/dialogs.ts';
import {targets} from '../../state/targets.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {editorReduce} from '../../text/editor/editor.ts';
import {createEditor, type EditorAction} from '../../text/editor/editor-state.ts';
import {codeLines} from '../../text/markdown/code-lines.ts';
import {editorActionOf} from '../composer/composer-edit.ts';
import type {Intents} from '../input.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Row} from '../kit/frame.ts';
import {Pane} from '../kit/pane.tsx';
import {scrolledTop} from '../kit/scroll.ts';
import {fieldText, TextField} from '../kit/text-field.tsx';
import type {Layout} from '../layout.ts';
import {layoutNow} from '../layout-now.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {setView} from '../set-view.ts';
import {type AppParts, type Parts, useApp} from '../use-app.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer} from './list-layer.ts';
import {strings} from './strings.ts';

type AnswerDialogState = DialogOf<'answer'>;

const text = strings.answer;

const maxWidth = 110;
/** Rows besides the request: the blank first one, the field with a blank above, problem and keys. */
const otherRows = 5;
/** Longest text of a request, UTF-16 units: more than the service sends. */
const maxTextLength = 256 * 1024;
/** A key that was meant for what was on the screen before the request must not answer it, ms. */
const guardTime = 500;

/** An agent's request, whole, and its answer. Only the keys that it names answer it. */
function AnswerDialog({dialog, layout, lists}: DialogProps<'answer'>) {
	const parts = useApp();
	const {keys} = parts;
	const {request, place, readyAt, isWriting, isGone, isBusy, problem} = dialog;
	const activity = lists.all.sessionsById.get(request?.sessionId ?? '')?.activity;
	useEffect(() => {
		if (request && readyAt === undefined) setReady(parts);
	}, [parts, request, readyAt]);
	const fromHooks = useStore(parts.stores.fleet, ({requests}) => requests);
	// What the session's messages or hooks tell changes when a request is answered elsewhere.
	// biome-ignore lint/correctness/useExhaustiveDependencies: each change of either asks again.
	useEffect(() => {
		if (request) void checkIsOpen(parts, request);
	}, [parts, request, activity, fromHooks]);
	const {rect, lines, height} = answerLayout(dialog, layout);
	const top = scrolledTop(dialog.top, lines.length, height, top => top);
	useZone({
		rect,
		order: zoneOrder.dialog,
		wheel: rows =>
			changeDialog(parts.view, 'answer', now =>
				scrolledTo(
					scrolledTop(now.top, lines.length, height, top => top + rows),
					now,
					layout,
				),
			),
	});
	const below = lines.length - top - height;
	const shown = lines.slice(top, top + height);
	const name = lists.all.sessionsById.get(request?.sessionId ?? dialog.sessionId ?? '')?.name;
	const mark = safe`  ${text.words} `;
	const problemText = isGone ? text.gone : problem;
	const body: Row[] = [
		{line: []},
		...shown.map((line): Row => ({line: [span(safe`  `), ...line]})),
		...Array.from({length: height - shown.length}, (): Row => ({line: []})),
		{line: []},
		{line: [span(mark, isWriting ? 'accent' : 'dim'), ...fieldSpans(dialog, keys)]},
		{line: problemText === undefined ? [] : [span(safe`  `), span(cleanLine(problemText), 'warn')]},
		{
			line: isBusy
				? [span(safe`  ${text.sending}`, 'info')]
				: answerKeys(dialog, keys, isRead(dialog, layout)),
		},
	];
	const title = request?.kind === 'question' ? text.question : text.permission;
	const dot = span(safe` · `, 'dim');
	return (
		<>
			<Pane
				rect={rect}
				title={[
					span(request ? title : text.reading, 'heading'),
					...(request?.tool && request.kind !== 'question'
						? [dot, span(cleanLine(request.tool, 40), 'tool')]
						: []),
					...(place && place.of > 1 ? [dot, span(text.place(place.at, place.of), 'warn')] : []),
					...(name === undefined ? [] : [dot, span(cleanLine(name, 60))]),
				]}
				right={[span(strings.close(keys.label('cancel')), 'dim')]}
				{...(below > 0 && {bottom: [span(strings.moreBelow(below), 'warn')]})}
				isFocused
				body={body}
			/>
			{isWriting && !isBusy && !isGone && (
				<TextField
					rect={{
						x: rect.x + 1 + mark.length,
						y: rect.y + height + 3,
						width: Math.max(1, rect.width - mark.length - 3),
						height: 1,
					}}
					editor={dialog.editor}
				/>
			)}
		</>
	);
}

/** The words as they stand, or what the field is for. The field that is written in is drawn over them. */
function fieldSpans({editor, isWriting, request}: AnswerDialogState, keys: KeyMap): Line {
	if (isWriting) return [];
	if (editor.text !== '') return [span(cleanLine(editor.text))];
	const isQuestion = request?.kind === 'question';
	return [span((isQuestion ? text.writeAnswer : text.write)(keys.label('answer-words')), 'dim')];
}

/** The keys that answer now, with what they do. */
function answerKeys(
	{request, isWriting, isGone}: AnswerDialogState,
	keys: KeyMap,
	isWholeRead: boolean,
): Line {
	if (!request || isGone) return [];
	const isQuestion = request.kind === 'question';
	const named = (action: ActionName, words: ReturnType<typeof safe>): Line => [
		span(keys.label(action), 'strong'),
		span(safe` ${words}   `, 'dim'),
	];
	const indent = span(safe`  `);
	if (isWriting)
		return [
			indent,
			...named('answer-question', isQuestion ? text.send : text.stop),
			...(isQuestion && request.choices?.length ? [span(text.choose, 'dim')] : []),
		];
	return [
		indent,
		...(isQuestion
			? named('answer-question', text.send)
			: isWholeRead
				? optionsOf(request).flatMap(option =>
						option === 'no' ? [] : named(`answer-${option}`, text.options[option]),
					)
				: [span(safe`${text.readOn(keys.label('list-page-down'))}   `, 'warn')]),
		...(optionsOf(request).includes('no') ? named('answer-no', text.options.no) : []),
	];
}

function optionsOf({options = []}: AgentRequest): readonly RequestOption[] {
	return (['once', 'always', 'no'] as const).filter(option => options.includes(option));
}

/** The rectangle of the dialog, the request's lines, and how many of them are shown. */
function answerLayout({request}: AnswerDialogState, layout: Layout) {
	const width = Math.min(maxWidth, layout.columns - 4);
	const lines = request ? requestLines(request, Math.max(8, width - 4)) : [];
	const rect = dialogRect(layout, width, lines.length + otherRows);
	return {rect, lines, height: Math.max(1, rect.height - 2 - otherRows)};
}

/** Whether the request's last line is on the screen, or has been. */
function isRead(dialog: AnswerDialogState, layout: Layout): boolean {
	const {lines, height} = answerLayout(dialog, layout);
	return dialog.isRead === true || dialog.top + height >= lines.length;
}

function scrolledTo(
	top: number,
	{problem: _, ...dialog}: AnswerDialogState,
	layout: Layout,
): AnswerDialogState {
	const next = {...dialog, top};
	return {...next, isRead: isRead(next, layout)};
}

/** The whole request, wrapped. A request never changes, so that its lines are kept with it. */
function requestLines(request: AgentRequest, width: number): readonly Line[] {
	const known = wrapped.get(request);
	if (known?.width === width) return known.lines;
	const whole = request.text ?? '';
	const clean = cleanText(whole, {maxLength: maxTextLength});
	const language = /^--- .*\n\+\+\+ /.test(whole) ? 'diff' : '';
	const spans = request.kind === 'question' ? [[span(clean)]] : [...codeLines(clean, language)];
	const lines = spans.flatMap(([first]) =>
		first ? wrapText(first.text, width).map((row): Line => [span(row, first.tone)]) : [[]],
	);
	wrapped.set(request, {width, lines});
	return lines;
}

const wrapped = new WeakMap<AgentRequest, {readonly width: number; readonly lines: readonly Line[]}>();

/** Keys answer from half a second after what they answer, or the keys that answer, came to the screen. */
function setReady(parts: Parts<'actions' | 'view'>): void {
	const readyAt = parts.actions.clock.now() + guardTime;
	changeDialog(parts.view, 'answer', dialog => ({...dialog, readyAt}));
}

function isSameRequest(dialog: AnswerDialogState, {id}: AgentRequest): boolean {
	return dialog.request?.id === id;
}

/** Notes which request of how many it is, or that nobody waits for the answer any more. */
async function checkIsOpen(parts: Parts<'actions' | 'view'>, request: AgentRequest): Promise<void> {
	const open = await requestsBeside(parts.actions, request);
	if (!open) return;
	const index = open.findIndex(({id}) => id === request.id);
	changeDialog(parts.view, 'answer', dialog => {
		if (!isSameRequest(dialog, request)) return dialog;
		if (index >= 0) return {...dialog, place: {at: index + 1, of: open.length}};
		return dialog.isBusy ? dialog : {...dialog, isGone: true};
	});
}

/** Reads the request that the open dialog is for; without one, the dialog closes with the reason. */
async function readRequest(parts: Parts<'actions' | 'view'>, sessionId: string | undefined): Promise<void> {
	const {actions, view} = parts;
	const close = () => {
		const top = view.getState().dialogs.at(-1);
		if (top?.kind === 'answer' && !top.request) setView(view, popDialog);
	};
	try {
		const [request] = await openRequests(actions, sessionId);
		if (!request) {
			close();
			notify(actions, 'info', text.none);
			return;
		}
		changeDialog(parts.view, 'answer', dialog =>
			dialog.request ? dialog : {...dialog, request, isWriting: request.kind === 'question'},
		);
	} catch (error) {
		close();
		notifyFailure(actions, error);
	}
}

/** Answers the request that is on the screen, once. */
async function answer(
	parts: Parts<'actions' | 'view'>,
	request: AgentRequest,
	option: RequestOption,
): Promise<void> {
	const change = (next: Partial<AnswerDialogState>) =>
		changeDialog(parts.view, 'answer', dialog =>
			isSameRequest(dialog, request) ? {...dialog, ...next} : dialog,
		);
	const dialog = parts.view.getState().dialogs.at(-1);
	if (dialog?.kind !== 'answer') return;
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
	const top = parts.view.getState().dialogs.at(-1);
	if (top?.kind === 'answer' && isSameRequest(top, request)) setView(parts.view, popDialog);
}

/** Keys of the dialog. No key answers in the first half second, nor one that was read together with others. */
function answerLayer(parts: AppParts, dialog: AnswerDialogState): KeyLayer {
	const {clock} = parts.actions;
	const change = (next: (dialog: AnswerDialogState) => AnswerDialogState) =>
		changeDialog(parts.view, 'answer', next);
	const edit = (action: EditorAction) =>
		change(now => {
			const {problem: _, ...rest} = now;
			return {...rest, editor: editorReduce(now.editor, action)};
		});
	const list = listLayer(parts, {
		context: 'answer',
		index: dialog.top,
		page: Math.max(1, answerLayout(dialog, layoutNow(parts)).height),
		count() {
			const {lines, height} = answerLayout(dialog, layoutNow(parts));
			return Math.max(0, lines.length - height) + 1;
		},
		moved: top => change(now => scrolledTo(top, now, layoutNow(parts))),
	});

	function answerWith(request: AgentRequest, option: RequestOption, isAlone: boolean): void {
		const {readyAt} = dialog;
		if (readyAt === undefined || clock.now() < readyAt || !isAlone)
			change(now => ({...now, problem: text.early}));
		else if (option !== 'no' && request.kind !== 'question' && dialog.editor.text.trim() !== '')
			change(now => ({...now, problem: text.onlyWithNo}));
		else if (!optionsOf(request).includes(option)) change(now => ({...now, problem: text.notOffered}));
		else if (option !== 'no' && request.kind !== 'question' && !isRead(dialog, layoutNow(parts)))
			change(now => ({...now, problem: text.unread}));
		else void answer(parts, request, option);
	}

	/** Typing ends: a letter on its way to the field must not answer. */
	function toggleWriting(): void {
		change(now => ({...now, isWriting: !now.isWriting}));
		setReady(parts);
	}

	function write(press: KeyPress, action: ActionName | undefined): void {
		const {choices = []} = dialog.request ?? {};
		const editing = editorActionOf(parts.keys.find(['form'], press.name)?.action);
		if (press.text !== '') edit({type: 'insert', text: fieldText(press.text)});
		else if (editing) edit(editing);
		else if (choices.length > 0 && (action === 'list-down' || action === 'list-up')) {
			const index = choices.indexOf(dialog.editor.text);
			const step = action === 'list-down' ? 1 : -1;
			const next = index < 0 ? (step > 0 ? 0 : choices.length - 1) : index + step + choices.length;
			edit({type: 'set', text: fieldText(choices[next % choices.length] ?? '')});
		} else list.handle(press, true);
	}

	return {
		name: 'answer',
		isModal: true,
		handle(press, isAlone) {
			const {request, isWriting, isBusy, isGone} = dialog;
			const action = parts.keys.find(['answer'], press.name)?.action;
			const isOver = !request || isBusy || isGone;
			const isTyped = isWriting && press.text !== '';
			if (isOver || (action === 'cancel' && !isTyped)) return list.handle(press, isAlone);
			if (isTyped) write(press, undefined);
			else if (action === 'answer-words') toggleWriting();
			else if (action === 'answer-question') {
				if (request.kind === 'question') answerWith(request, 'once', isAlone);
				else if (isWriting) toggleWriting();
			} else if (isWriting) write(press, action);
			else if (action === 'answer-no') answerWith(request, 'no', isAlone);
			else if (action === 'answer-once' || action === 'answer-always') {
				if (request.kind !== 'question')
					answerWith(request, action === 'answer-once' ? 'once' : 'always', isAlone);
			} else return list.handle(press, isAlone);
			return 'consumed';
		},
		paste(pasted) {
			if (dialog.isWriting) edit({type: 'insert', text: fieldText(pasted)});
			return 'consumed';
		},
	};
}

const intents: Intents = {
	'answer-request'(parts) {
		const {sessionId} = targets(parts.view.getState());
		setView(parts.view, view =>
			pushDialog(view, {
				kind: 'answer',
				...(sessionId !== undefined && {sessionId}),
				top: 0,
				editor: createEditor(''),
				isWriting: false,
			}),
		);
		void readRequest(parts, sessionId);
	},
};

export const answerDialog: DialogModule<'answer'> = {Component: AnswerDialog, layer: answerLayer, intents};
