import {maxRequestLength} from '../../../domain/sessions/agent-request.ts';
import {cleanLine} from '../../../text/cells/clean.ts';
import {type Line, lineWidth, span} from '../../../text/cells/line.ts';
import {type Safe, safe} from '../../../text/cells/safe.ts';
import {wrapText} from '../../../text/cells/wrap.ts';
import type {ActionName} from '../../keys/binding.ts';
import type {KeyMap} from '../../keys/key-map.ts';
import {dialogRect} from '../../kit/dialog-rect.ts';
import type {Layout} from '../../layout.ts';
import {strings} from '../strings.ts';
import type {AnswerDialogState} from './answer-requests.ts';
import {questionLines, questionOf, rowCount} from './question-list.ts';
import {isAnswerable, keyedOptions, requestLines, shownLabel, textOf} from './request-lines.ts';

const text = strings.answer;

const maxWidth = 110;
/** Rows of a screen that has one for the place of the request. */
const minRowsForPlace = 16;

/**
 * The rectangle of the dialog, the request's lines and how many of them are shown; of a list of answers, also its rows.
 * On a small screen, the `blanks` around the request go first.
 */
export function answerLayout(dialog: AnswerDialogState, layout: Layout, keys: KeyMap) {
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
	const withWords = `${text.gone} Closing this keeps your words.`;
	const notes = isGone ? (editor.text.trim() === '' ? [text.gone] : [withWords, text.gone]) : [problem ?? ''];
	const wrappings = notes.map(words => wrapText(cleanLine(words), inner));
	const fits = (rows: readonly unknown[]) => rows.length + keyRows + 2 <= maxHeight - 2;
	const problemRows = wrappings.find(fits) ?? wrappings.at(-1) ?? [];
	const placeRows = request && layout.rows >= minRowsForPlace ? 1 : 0;
	const others = 1 + placeRows + problemRows.length + keyRows;
	const rect = dialogRect(layout, width, lines.length + others + 2);
	const room = rect.height - 2 - others;
	const blanks = room > 2 ? 1 : 0;
	const height = Math.max(1, room - blanks * 2);
	return {rect, lines, rows: list?.rows ?? [], height, blanks, problemRows, placeRows};
}

/** Whether the request's last line is on the screen, or has been. */
export function isRead(dialog: AnswerDialogState, layout: Layout, keys: KeyMap): boolean {
	const {lines, height} = answerLayout(dialog, layout, keys);
	return dialog.isRead === true || dialog.top + height >= lines.length;
}

/** The keys that work now, each with its effect. */
export function answerKeys(dialog: AnswerDialogState, keys: KeyMap, isWholeRead: boolean): readonly Line[] {
	const {request, isWriting, isGone, isReady, given = [], position = {number: 1, count: 1}} = dialog;
	if (!request) return [];
	const isQuestion = request.kind === 'question';
	const keyed = (key: Safe, words: Safe): Line => [span(key, 'strong'), span(safe` ${words}`, 'dim')];
	const named = (action: ActionName, words: Safe): Line[] => [keyed(keys.label(action), words)];
	const hasOther = position.count > Math.min(1, position.number);
	const next = hasOther ? named('answer-next', safe`next request`) : [];
	const question = questionOf(dialog);
	const hasChoices = question !== undefined && rowCount(question) > 0;
	if (isGone) return next;
	if (isWriting)
		return [
			...(isReady && isQuestion ? named('answer-question', safe`send`) : []),
			...(isReady && !isQuestion && hasWords(dialog)
				? named('answer-question', safe`deny with these words`)
				: []),
			...(isQuestion && !hasOther && !hasChoices ? [] : named('answer-words', safe`back`)),
		];
	const options = keyedOptions(request, keys);
	const keysOf = (isAllowing: boolean) =>
		options
			.filter(({option}) => option.allows === isAllowing)
			.map(({key, option}) =>
				keyed(
					key,
					request.isPlan && option.word === 'once' ? safe`approve the plan` : shownLabel(option, 40),
				),
			);
	/** The numbers of a question that takes one answer. */
	const last = question?.takesSeveral ? 0 : Math.min(9, question?.choices.length ?? 0);
	const isLast = given.length + 1 >= (request.questions?.length ?? 1);
	const allowing = isQuestion
		? [
				...named('answer-question', isLast ? safe`send` : safe`next question`),
				...(last > 0 ? [keyed(last === 1 ? safe`1` : safe`1-${last}`, safe`answer at once`)] : []),
				...(question?.takesSeveral ? named('answer-mark', safe`mark`) : []),
				...(given.length > 0 ? named('answer-back', safe`previous question`) : []),
			]
		: keysOf(true);
	const isTooLong = !isAnswerable(request) && textOf(request).length > maxRequestLength;
	const readOn =
		isQuestion || isWholeRead
			? undefined
			: safe`${keys.label('list-page-down')} to the end, then you can allow it`;
	const warning = isTooLong ? safe`too long to show, so it can only be denied` : readOn;
	return [
		...(warning ? [[span(warning, 'warn')]] : isReady && isAnswerable(request) ? allowing : []),
		...(isReady ? keysOf(false) : []),
		...next,
	];
}

export function hasWords({editor}: AnswerDialogState): boolean {
	return editor.text.trim() !== '';
}

/** The question on the screen and its rows, if the keys move in a list of answers. */
export function listOf(dialog: AnswerDialogState) {
	const question = questionOf(dialog);
	const count = question ? rowCount(question) : 0;
	return question && count > 0 && !dialog.isWriting ? {question, count} : undefined;
}

/** Arranges lines side by side, three columns apart, in as many rows as they need. */
export function wrapLines(lines: readonly Line[], width: number): readonly Line[] {
	const gap = span(safe`   `);
	const rows: Line[] = [];
	for (const line of lines) {
		const joined = [...(rows.at(-1) ?? []), gap, ...line];
		if (rows.length > 0 && lineWidth(joined) <= width) rows[rows.length - 1] = joined;
		else rows.push(line);
	}
	return rows;
}
