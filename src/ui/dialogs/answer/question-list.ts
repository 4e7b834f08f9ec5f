import type {AgentQuestion} from '../../../domain/sessions/agent-request.ts';
import {cleanLine, cleanText} from '../../../text/cells/clean.ts';
import {type Line, lineWidth, type Span, span} from '../../../text/cells/line.ts';
import {safe} from '../../../text/cells/safe.ts';
import {wrapText} from '../../../text/cells/wrap.ts';
import {cursorMark} from '../../kit/pane.tsx';
import type {DialogOf} from '../dialog-module.ts';

/** Longest text of a question or choice that is drawn, UTF-16 units: more than a request has. */
const maxLength = 256 * 1024;

type Dialog = Pick<DialogOf<'answer'>, 'request' | 'given' | 'cursor' | 'marked' | 'isWriting'>;

/** The question that is asked now; undefined for a permission, and for questions that can only be declined. */
export function questionOf({request, given = []}: Dialog): AgentQuestion | undefined {
	const isAnswerable = request?.options?.some(({word}) => word === 'once');
	return isAnswerable ? request?.questions?.[given.length] : undefined;
}

/** The rows of a question's list: its choices, and one for the user's own words. None if it has no choices. */
export function rowCount({choices, takesOnlyChoices}: AgentQuestion): number {
	if (choices.length === 0) return 0;
	return choices.length + (takesOnlyChoices ? 0 : 1);
}

/** The answer at a row, or the marked ones; undefined at the row for the user's own words. */
export function answerAt({choices, takesSeveral}: AgentQuestion, row: number, marked: readonly number[]) {
	const chosen = takesSeveral && marked.length > 0 ? marked : [row];
	const labels = chosen.flatMap(index => choices[index]?.label ?? []);
	return labels.length > 0 ? labels.join(', ') : undefined;
}

/** A question as lines, and the first line and the end of each row of its list. */
export function questionLines(dialog: Dialog, question: AgentQuestion, width: number) {
	const {choices, takesSeveral} = question;
	const {cursor = 0, marked = [], isWriting} = dialog;
	const lines: Line[] = wrapText(cleanText(question.text, {maxLength}), width).map(row => [
		span(safe`  `),
		span(row),
	]);
	if (takesSeveral) lines.push([], [span(safe`  `), span(safe`Several may be chosen.`, 'dim')]);
	if (choices.length > 0) lines.push([]);
	const rows = Array.from({length: rowCount(question)}, (_, index): readonly [from: number, to: number] => {
		const from = lines.length;
		const choice = choices[index];
		const isMarked = marked.includes(index);
		const box = isMarked ? span(safe`☑ `, 'good') : span(safe`☐ `, 'dim');
		const head: Line = [
			cursorMark(index === cursor, !isWriting),
			span(index < 9 ? safe`${index + 1} ` : safe`  `, 'strong'),
			...(takesSeveral ? [choice ? box : span(safe`  `)] : []),
		];
		const indent = lineWidth(head);
		const room = Math.max(8, width + 2 - indent);
		const words = choice ? cleanLine(choice.label, maxLength) : safe`Write your own answer`;
		const about = choice?.description ? wrapText(cleanText(choice.description, {maxLength}), room) : [];
		const texts: readonly Span[] = [
			...wrapText(words, room).map(row => span(row, choice ? undefined : 'dim')),
			...about.map(row => span(row, 'dim')),
		];
		const mark = cursorMark(index === cursor, !isWriting);
		for (const [nth, text] of texts.entries())
			lines.push([...(nth === 0 ? head : [mark, span(cleanLine(' '.repeat(indent - 1)))]), text]);
		return [from, lines.length];
	});
	return {lines, rows};
}
