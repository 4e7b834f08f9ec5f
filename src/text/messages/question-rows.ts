import {cleanLine} from '../cells/clean.ts';
import {fitLine, type Line, type Span} from '../cells/line.ts';
import {safe} from '../cells/safe.ts';
import {wrapSpans} from '../markdown/inline.ts';
import {indented, moreLines} from './collapsed-rows.ts';
import {bareOutput, userAnswers} from './tool-output.ts';

const maxRows = 8;
const maxAnswerRows = 2;
const maxLength = 400;

/** The user's answers, under the head that asks the first question; each other answer follows its question. */
export function answerRows(questions: readonly string[], output: string, width: number): Line[] {
	const room = Math.max(1, width - 2);
	const known = userAnswers(output);
	const isKnown = known.length === questions.length;
	const answers = isKnown ? known : [bareOutput(output)];
	const rows = answers.flatMap((answer, index) => [
		...(index === 0 ? [] : [fitLine([{text: cleanLine(questions[index] ?? '', maxLength)}], room)]),
		...oneAnswer(answer, room),
	]);
	const shown = rows.length > maxRows ? rows.slice(0, maxRows - 1) : rows;
	const hidden = rows.length - shown.length;
	const count: Line[] = hidden > 0 ? [fitLine([{text: moreLines(hidden), tone: 'dim'}], room)] : [];
	return indented([...shown, ...count], width);
}

function oneAnswer(answer: string, width: number): Line[] {
	const text = cleanLine(answer.trim(), maxLength);
	if (text === '') return [];
	const wrapped = wrapSpans([{text, tone: 'strong'}], Math.max(1, width - 2), maxAnswerRows + 1);
	const [first = [], ...rest] = wrapped;
	const second = rest.flatMap((row, index) => (index === 0 ? row : [{text: safe` `}, ...row]));
	const mark: Span = {text: safe`\u2192 `, tone: 'dim', isDecoration: true};
	const rows: Line[] = [[mark, ...first], ...(rest.length > 0 ? [[{text: safe`  `}, ...second]] : [])];
	return rows.map(row => fitLine(row, width));
}
