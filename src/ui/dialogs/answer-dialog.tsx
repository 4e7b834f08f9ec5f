import {useEffect} from 'react';
import {useStore} from 'zustand';
import {
	type AgentRequest,
	maxRequestLength,
	noOption,
	onceOption,
	type RequestOption,
} from '../../domain/sessions/agent-request.ts';
import {keyLabel} from '../../keys/key-label.ts';
import type {KeyPress} from '../../keys/key-press.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {isRequesting} from '../../state/sessions/session-items.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import {targets} from '../../state/view/targets.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {markDeceptive} from '../../text/cells/deceptive.ts';
import {type Line, lineText, lineWidth, type Span, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {editorReduce} from '../../text/editor/editor.ts';
import {createEditor, type EditorAction} from '../../text/editor/editor-state.ts';
import {codeLines} from '../../text/markdown/code-lines.ts';
import {withReturnSigns} from '../../text/markdown/line-ends.ts';
import {editorActionOf} from '../composer/editing-bindings.ts';
import type {ActionName} from '../keys/binding.ts';
import {bindingsIn, type Enabled, type Now} from '../keys/binding.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Row} from '../kit/frame.ts';
import {Pane} from '../kit/pane.tsx';
import {fieldText, TextField} from '../kit/text-field.tsx';
import type {Layout} from '../layout.ts';
import {layoutNow} from '../layout-now.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import {
	type AnswerDialogState,
	askNext,
	checkIsOpen,
	readRequest,
	sendAnswer,
	showOther,
} from './answer-requests.ts';
import {keepWords} from './answer-words.ts';
import type {DialogModule, DialogProps} from './dialog-module.ts';
import {heldWait, keyWait} from './key-wait.ts';
import {changeDialog, listLayer, topDialog} from './list-layer.ts';
import {answerAt, questionLines, questionOf, rowCount} from './question-list.ts';
import {scrolledTextLayer, useScrolledText} from './scrolled-text.ts';
import {strings} from './strings.ts';

const text = strings.answer;

const maxWidth = 110;
/** Longest name of a tool in the title. */
const maxTool = 40;
/** Longest text of a request, in UTF-16 units: more than the service sends. */
const maxTextLength = 256 * 1024;

/** An agent's request in full, and its answer. Only the keys named below it answer. */
function AnswerDialog({dialog, layout, lists}: DialogProps<'answer'>) {
	const parts = useApp();
	const {keys} = parts;
	const {request, position, waits, isWriting, isBusy} = dialog;
	const session = lists.all.sessionsById.get(request?.sessionId ?? dialog.sessionId ?? '');
	useEffect(() => {
		const setReady = (now: AnswerDialogState) => (now.waits === waits ? {...now, isReady: true} : now);
		return request && parts.actions.clock.after(keyWait, () => changeDialog(parts.view, 'answer', setReady));
	}, [parts, request, waits]);
	const fromHooks = useStore(parts.stores.fleet, ({requests}) => requests);
	// A request that is answered elsewhere changes the session's activity, or the requests of hooks.
	// biome-ignore lint/correctness/useExhaustiveDependencies: each change of either checks again.
	useEffect(() => {
		if (request) void checkIsOpen(parts, request);
	}, [parts, request, session?.activity, fromHooks]);
	const {rect, lines, height, end, blanks, problemRows} = answerLayout(dialog, layout, keys);
	const {top, bottom} = useScrolledText(dialog, rect, lines.length, height);
	const isAtEnd = request !== undefined && isRead(dialog, layout, keys);
	useEffect(() => {
		const setRead = (now: AnswerDialogState) => (now.request === request ? {...now, isRead: true} : now);
		if (isAtEnd) changeDialog(parts.view, 'answer', setRead);
	}, [parts, request, isAtEnd]);
	const shown = shownLines(lines, top, height, end);
	const label = safe`  ${request?.kind === 'question' ? text.yourAnswer : text.words}  `;
	const field = fieldSpans(dialog, keys);
	const fits = lineWidth(field) + label.length <= rect.width - 2;
	const isList = listOf(dialog) !== undefined && dialog.editor.text === '';
	const hasLabel = request !== undefined && !isList && (dialog.editor.text !== '' || fits);
	const isTyping = isWriting && isBusy !== true;
	const keyLines = wrapLines(answerKeys(dialog, keys, isAtEnd), rect.width - 6);
	const indent = span(safe`  `);
	const blank = Array.from({length: blanks}, (): Row => ({line: []}));
	const body: Row[] = [
		...blank,
		...shown.map((line): Row => ({line})),
		...Array.from({length: height - shown.length}, (): Row => ({line: []})),
		...blank,
		{line: [hasLabel ? span(label, isTyping ? 'accent' : 'dim') : indent, ...field]},
		...problemRows.map((row): Row => ({line: [indent, span(row, 'warn')]})),
		...(isBusy ? [[span(text.sending, 'info')]] : keyLines).map((line): Row => ({line: [indent, ...line]})),
	];
	const asked = request?.questions?.length ?? 1;
	const nth = safe` ${(dialog.given?.length ?? 0) + 1}/${asked}`;
	const title =
		request?.kind === 'question' ? safe`${text.question}${asked > 1 ? nth : safe``}` : text.permission;
	const dot = span(safe` · `, 'dim');
	return (
		<>
			<Pane
				rect={rect}
				title={[
					span(request ? title : text.reading, 'heading'),
					...(request?.tool && request.kind !== 'question'
						? [dot, span(cleanLine(request.tool, maxTool), 'tool')]
						: []),
					...(position && position.number > 0 && position.count > 1
						? [dot, span(text.position(position.number, position.count), 'warn')]
						: []),
					...(session ? [dot, span(cleanLine(session.name, 60))] : []),
				]}
				right={[span(strings.close(keys.label('cancel')), 'dim')]}
				bottom={end > 0 ? [] : bottom.map(part => ({...part, tone: 'warn'}))}
				isFocused
				body={body}
			/>
			{isTyping && (
				<TextField
					rect={{
						x: rect.x + 1 + label.length,
						y: rect.y + 1 + blanks * 2 + height,
						width: Math.max(1, rect.width - label.length - 3),
						height: 1,
					}}
					editor={dialog.editor}
				/>
			)}
		</>
	);
}

/** The user's words, or what the field is for; empty while the field is drawn over this. */
function fieldSpans(dialog: AnswerDialogState, keys: KeyMap): Line {
	const {editor, isWriting, isBusy, isGone, request} = dialog;
	if (isWriting && !isBusy) return [];
	if (editor.text !== '') return [span(cleanLine(editor.text))];
	if (!request || isGone || isBusy || listOf(dialog)) return [];
	const isQuestion = request.kind === 'question';
	return [
		span(keys.label('answer-words'), 'strong'),
		span(isQuestion ? text.writeAnswer : text.write, 'dim'),
	];
}

/** The question on the screen and its rows, if the keys move in a list of answers. */
function listOf(dialog: AnswerDialogState) {
	const question = questionOf(dialog);
	const count = question ? rowCount(question) : 0;
	return question && count > 0 && !dialog.isWriting ? {question, count} : undefined;
}

/** The keys that work now, each with its effect. */
function answerKeys(dialog: AnswerDialogState, keys: KeyMap, isWholeRead: boolean): readonly Line[] {
	const {request, isWriting, isGone, isReady, given = [], position = {number: 1, count: 1}} = dialog;
	if (!request) return [];
	const isQuestion = request.kind === 'question';
	const named = (action: ActionName, words: ReturnType<typeof safe>): Line[] => [
		[span(keys.label(action), 'strong'), span(safe` ${words}`, 'dim')],
	];
	const hasOther = position.count > Math.min(1, position.number);
	const next = hasOther ? named('answer-next', text.next) : [];
	const question = questionOf(dialog);
	const hasChoices = question !== undefined && rowCount(question) > 0;
	if (isGone) return next;
	if (isWriting)
		return [
			...(isReady && isQuestion ? named('answer-question', text.send) : []),
			...(isQuestion && !hasOther && !hasChoices ? [] : named('answer-words', text.stop)),
		];
	const options = keyedOptions(request, keys);
	const keysOf = (isAllowing: boolean) =>
		options
			.filter(({option}) => option.allows === isAllowing)
			.map(({key, option}): Line => [span(key, 'strong'), span(safe` ${shownLabel(option, 40)}`, 'dim')]);
	const isLast = given.length + 1 >= (request.questions?.length ?? 1);
	const allowing = isQuestion
		? [
				...named('answer-question', isLast ? text.send : text.nextQuestion),
				...(question?.takesSeveral ? named('answer-mark', text.mark) : []),
				...(given.length > 0 ? named('answer-back', text.back) : []),
			]
		: keysOf(true);
	const isTooLong = !isAnswerable(request) && textOf(request).length > maxRequestLength;
	const readOn = isQuestion || isWholeRead ? undefined : text.readOn(keys.label('list-page-down'));
	const warning = isTooLong ? text.denyOnly : readOn;
	return [
		...(warning ? [[span(warning, 'warn')]] : isReady && isAnswerable(request) ? allowing : []),
		...(isReady ? keysOf(false) : []),
		...next,
	];
}

function isAnswerable(request: AgentRequest): boolean {
	return optionsOf(request).some(({allows}) => allows);
}

/** Arranges lines side by side, three columns apart, in as many rows as they need. */
function wrapLines(lines: readonly Line[], width: number): readonly Line[] {
	const gap = span(safe`   `);
	const rows: Line[] = [];
	for (const line of lines) {
		const joined = [...(rows.at(-1) ?? []), gap, ...line];
		if (rows.length > 0 && lineWidth(joined) <= width) rows[rows.length - 1] = joined;
		else rows.push(line);
	}
	return rows;
}

/**
 * The answers that the request offers. A request that isn't shown completely can't be allowed, whatever the service
 * says.
 */
function optionsOf(request: AgentRequest): readonly RequestOption[] {
	const isWhole = textOf(request).length <= maxTextLength;
	return (request.options ?? []).filter(({allows}) => isWhole || !allows);
}

/** The answers with their keys: further ones are numbered, as far as there are keys. */
function keyedOptions(request: AgentRequest, keys: KeyMap): readonly KeyedOption[] {
	const numbers = (keys.bindings.find(({action}) => action === 'answer-other')?.keys ?? []).values();
	return optionsOf(request).map(option => {
		const action = namedOptions.find(([word]) => word === option.word)?.[1];
		const number = action ? undefined : numbers.next().value;
		if (action) return {option, action, key: keys.label(action)};
		return {option, number, key: number === undefined ? safe`(no key)` : keyLabel(number)};
	});
}

type KeyedOption = {
	readonly option: RequestOption;
	readonly key: Safe;
	readonly action?: ActionName;
	readonly number?: string | undefined;
};

const namedOptions = [
	['once', 'answer-once'],
	['always', 'answer-always'],
	['no', 'answer-no'],
] as const;

function shownLabel({label}: RequestOption, width?: number): Safe {
	return cleanLine(markDeceptive(label), width);
}

/**
 * The rectangle of the dialog, the request's lines and how many of them are shown, and what is below them; of a list of
 * answers, also its rows. On a small screen, the `blanks` around the request go first.
 */
function answerLayout(dialog: AnswerDialogState, layout: Layout, keys: KeyMap) {
	const {request, problem, isGone, editor} = dialog;
	const width = Math.min(maxWidth, layout.columns - 4);
	const {width: whole, height: maxHeight} = dialogRect(layout, width, layout.rows);
	const inner = whole - 6;
	const question = questionOf(dialog);
	const list = question && questionLines(dialog, question, Math.max(8, inner));
	const lines = list?.lines ?? (request ? requestLines(request, Math.max(8, inner), keys) : []);
	// Nothing moves when keys begin to count, or the request is read to its end.
	const keyRows = Math.max(
		1,
		...[true, false].map(
			isRead => wrapLines(answerKeys({...dialog, isReady: true}, keys, isRead), inner).length,
		),
	);
	const withWords = `${text.gone} ${text.goneWithWords}`;
	const notes = isGone ? (editor.text.trim() === '' ? [text.gone] : [withWords, text.gone]) : [problem ?? ''];
	const wrappings = notes.map(words => wrapText(cleanLine(words), inner));
	const fits = (rows: readonly unknown[]) => rows.length + keyRows + 2 <= maxHeight - 2;
	const problemRows = wrappings.find(fits) ?? wrappings.at(-1) ?? [];
	const others = 1 + problemRows.length + keyRows;
	const rect = dialogRect(layout, width, lines.length + others + 2);
	const room = rect.height - 2 - others;
	const blanks = room > 2 ? 1 : 0;
	const height = Math.max(1, room - blanks * 2);
	const isCut = request && !list && lines.length > height;
	const below = isCut ? optionLines(request, Math.max(8, inner), keys).length : 0;
	const end = isCut ? Math.min(below + endRows, Math.floor(height / 2)) : 0;
	return {rect, lines, rows: list?.rows ?? [], height, end, blanks, problemRows};
}

/** Of a long request, the last lines are on the screen from the start: so many, and what its answers change. */
const endRows = 3;

/** The lines on the screen: until the last ones are reached, they follow below a count of those between. */
function shownLines(lines: readonly Line[], top: number, height: number, end: number): readonly Line[] {
	const hidden = lines.length - top - height + 1;
	if (end === 0 || hidden <= 1) return lines.slice(top, top + height);
	const count: Line = [span(safe`  `), span(text.notShown(hidden), 'warn')];
	return [...lines.slice(top, top + height - end - 1), count, ...lines.slice(-end)];
}

/** Whether the request's last line is on the screen, or has been. */
function isRead(dialog: AnswerDialogState, layout: Layout, keys: KeyMap): boolean {
	const {lines, height} = answerLayout(dialog, layout, keys);
	return dialog.isRead === true || dialog.top + height >= lines.length;
}

/**
 * The whole request, wrapped: where its paths lead, its text, and what its answers change. Only the text is indented,
 * so that it can't pass for the others. A request never changes, so its lines are cached.
 */
function requestLines(request: AgentRequest, width: number, keys: KeyMap): readonly Line[] {
	const cached = wrapped.get(request);
	if (cached?.width === width && cached.keys === keys) return cached.lines;
	const raw = textOf(request);
	const isDiff = /^--- .*\n\+\+\+ /.test(raw);
	const shown = isDiff ? withReturnSigns(raw.split('\n')).join('\n') : raw;
	const clean = cleanText(shown, {maxLength: maxTextLength});
	const language = isDiff ? 'diff' : '';
	const spans = request.kind === 'question' ? [[span(clean)]] : [...codeLines(clean, language)];
	const {tool = ''} = request;
	const isToolInTitle =
		markDeceptive(tool) === tool && tool.length <= Math.min(maxTool, width - 30) && raw !== '';
	const hasTool = request.kind !== 'question' && !isToolInTitle;
	const lines = [
		...(hasTool ? [...ourLines(text.tool, tool, width, 'tool'), []] : []),
		...(request.warnings ?? []).flatMap(warning => ourLines(safe`! `, warning, width, 'warn')),
		...(request.warnings?.length ? [[]] : []),
		...spans.flatMap(line =>
			markedRows(lineText(line), width).map(([mark, row]) => [mark, span(row, line[0]?.tone)]),
		),
		...optionLines(request, width, keys),
	];
	wrapped.set(request, {width, keys, lines});
	return lines;
}

/** What each answer stands for, unless that is plain from its name. */
function optionLines(request: AgentRequest, width: number, keys: KeyMap): readonly Line[] {
	const isPlain = ({word, label, changes = []}: RequestOption) =>
		changes.length === 0 && [onceOption, noOption].some(one => one.word === word && one.label === label);
	const options = keyedOptions(request, keys).filter(({option}) => !isPlain(option));
	if (request.kind === 'question' || options.length === 0) return [];
	return [
		[span(cleanLine('─'.repeat(width + 2)), 'dim')],
		...options.flatMap(({key, option}) => [
			...ourLines(safe`${key} `, option.label, width, 'strong'),
			...(option.changes ?? []).flatMap(change => ourLines(safe`  + `, change, width)),
		]),
	];
}

/** A text in one line beside a mark of ours, which only its first row has. */
function ourLines(mark: Safe, words: string, width: number, tone?: Tone): readonly Line[] {
	const line = cleanLine(markDeceptive(words), Number.POSITIVE_INFINITY);
	const indent = span(cleanLine(' '.repeat(mark.length - 2)));
	return markedRows(line, Math.max(8, width + 2 - mark.length)).map(([goesOn, row], index) => [
		...(index === 0 ? [span(mark, tone)] : [indent, goesOn]),
		span(row, tone),
	]);
}

/**
 * Wraps a line. Its further rows are marked, so that they can't pass for lines; with a space behind the mark if the
 * line has one there.
 */
function markedRows(line: Safe, width: number): readonly (readonly [mark: Span, row: Safe])[] {
	let end = 0;
	return wrapText(line, width).map((row, index) => {
		const isAfterSpace = line[end] === ' ';
		if (index > 0) while (line[end] === ' ') end++;
		end += row.length;
		if (index === 0) return [span(safe`  `), row];
		return [span(isAfterSpace ? safe`↳ ` : safe` ↳`, 'dim'), row];
	});
}

/** The request's text. That of a permission has its invisible characters as codes, and says so. */
function textOf(request: AgentRequest): string {
	const {kind, text: raw = ''} = request;
	if (kind === 'question') return raw;
	const known = revealed.get(request);
	if (known !== undefined) return known;
	const visible = markDeceptive(raw);
	const whole = visible === raw ? raw : `${visible}\n\n${text.deceptive}`;
	revealed.set(request, whole);
	return whole;
}

const revealed = new WeakMap<AgentRequest, string>();
const wrapped = new WeakMap<
	AgentRequest,
	{readonly width: number; readonly keys: KeyMap; readonly lines: readonly Line[]}
>();

function isAnswer(action: ActionName | undefined): boolean {
	return (
		namedOptions.some(([, name]) => name === action) ||
		action === 'answer-other' ||
		action === 'answer-mark' ||
		action === 'answer-question'
	);
}

/** Keys of the dialog. None answers while keys wait, nor if it was read together with others. */
function answerLayer(parts: AppParts, dialog: AnswerDialogState): KeyLayer {
	const change = (next: (dialog: AnswerDialogState) => AnswerDialogState) =>
		changeDialog(parts.view, 'answer', next);
	const edit = (action: EditorAction) =>
		change(now => {
			const {problem: _, ...rest} = now;
			return {...rest, editor: editorReduce(now.editor, action)};
		});
	const {lines, rows, height, end} = answerLayout(dialog, layoutNow(parts), parts.keys);
	// A page goes over nothing that it doesn't show.
	const page = Math.max(1, end > 0 ? height - end - 1 : height);
	const list = scrolledTextLayer(parts, dialog, height, () => lines.length, {page});

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
				problem: problem ?? text.notOffered,
				...(isEarly && {isReady: false, waits: now.waits + 1}),
			}));
			return;
		}
		const pressed = {word: option.word};
		change(({problem: _, ...now}) => ({...now, pressed}));
		parts.actions.clock.after(heldWait, () => {
			if (topDialog(parts.view, 'answer')?.pressed === pressed)
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
		if (!isAlone) return text.notAlone;
		if (allows && dialog.editor.text.trim() !== '') return text.onlyWithNo;
		if (!option) return text.notOffered;
		return allows && !isRead(dialog, layoutNow(parts), parts.keys) ? text.unread : undefined;
	}

	function optionNamed(word: string): RequestOption | undefined {
		return dialog.request && optionsOf(dialog.request).find(option => option.word === word);
	}

	/** Keys wait again: a letter meant for the field must not answer. */
	function toggleWriting(): void {
		change(now => ({...now, isWriting: !now.isWriting, isReady: false, waits: now.waits + 1}));
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
		// What isn't on the screen is shown first.
		if (to > dialog.top + height) moveTo(row);
		else if (row >= question.choices.length) {
			moveTo(row);
			toggleWriting();
		} else if (question.takesSeveral && action !== 'answer-question') {
			moveTo(row);
			const others = marked.filter(one => one !== row);
			change(now => ({...now, marked: others.length < marked.length ? others : [...marked, row].sort()}));
		} else {
			moveTo(row);
			answerWith(request, optionNamed('once'), isAlone, answerAt(question, row, marked));
		}
		return true;
	}

	function write(press: KeyPress): void {
		const editing = editorActionOf(parts.keys.find(['form'], press.name)?.action);
		if (press.text !== '') edit({type: 'insert', text: fieldText(press.text)});
		else if (editing) edit(editing);
		else list.handle(press, true);
	}

	return {
		name: 'answer',
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
			if (isOver || (action === 'cancel' && !isTyped)) return list.handle(press, isAlone);
			const listed = listOf(dialog);
			if (isTyped) write(press);
			else if (listed && chooseFrom(request, listed, press, isAlone)) return 'consumed';
			else if (action === 'answer-words') toggleWriting();
			else if (action === 'answer-question') {
				if (request.kind === 'question') answerWith(request, optionNamed('once'), isAlone);
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
	const dialog = view.dialogs.at(-1);
	if (dialog?.kind !== 'answer') return true;
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
		hintNow({view}) {
			const dialog = view.dialogs.at(-1);
			return dialog?.kind === 'answer' && dialog.isWriting ? 'done writing' : undefined;
		},
		isEnabled: takesWords,
	},
	{
		action: 'answer-question',
		keys: ['enter'],
		title: 'Send the answer to a question; for a permission, stop writing',
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
			...(sessionId !== undefined && {sessionId}),
			waits: 0,
			top: 0,
			editor: createEditor(''),
			isWriting: false,
		}),
	);
	void readRequest(parts, sessionId);
}

export const answerDialog: DialogModule<'answer'> = {Component: AnswerDialog, layer: answerLayer};
