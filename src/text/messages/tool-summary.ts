import {cleanLine} from '../cells/clean.ts';
import {type Safe, safe} from '../cells/safe.ts';
import {patchedFiles} from './file-change.ts';
import {isRecord} from './message-parts.ts';
import {type PlanStep, planSteps, planWords} from './plan-steps.ts';

/** Fields that best describe a call, best first. */
const summaryKeys = [
	...['command', 'cmd', 'pattern', 'query', 'file_path', 'filePath', 'path', 'notebook_path', 'url'],
	...['absolute_path', 'description', 'issue_id', 'issue', 'issue_number', 'title', 'name', 'id', 'prompt'],
] as const;
const pathKeys: ReadonlySet<string> = new Set([
	...['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path'],
]);
const maxWordsLength = 400;

type Summary = {
	/** The subject of the call, in one line; never the name of a field. */
	readonly words: Safe;
	/** The text that `words` is the beginning of, raw. */
	readonly body: string;
	/** The other fields with their names, raw; empty if there are none. */
	readonly more: string;
	/** The field that `words` is made from (raw), or all of the input. */
	readonly main: string;
	/** The steps of a plan or a to-do list, if it is one. */
	readonly steps?: readonly PlanStep[];
	/** The questions to the user, if it asks some, raw. */
	readonly questions?: readonly string[];
};

type SummaryOptions = {
	/** Fields that `more` leaves out, by their names. */
	readonly without?: RegExp | undefined;
	/** The session's folder: `words` has paths in it without its name. */
	readonly folder?: string | undefined;
};

export function toolSummary(input: unknown, {without, folder}: SummaryOptions = {}): Summary {
	if (input === undefined || input === null) return {words: safe``, body: '', more: '', main: ''};
	const files = patchedFiles(input)
		.map(path => pathIn(folder, path))
		.join(', ');
	if (!isRecord(input)) {
		const text = valueText(input);
		return {words: firstWords(files || text), body: text, more: '', main: text};
	}
	const steps = planSteps(input.todos ?? input.plan);
	const details = fieldLines(input, []);
	if (steps) return {words: planWords(steps), body: '', more: '', main: details, steps};
	const asked = questionsIn(input.questions);
	if (asked.length > 0) {
		const body = asked.map(({text, options}) => [text, ...options].join('\n')).join('\n');
		const questions = asked.map(({text}) => text);
		return {words: cleanLine(questions[0] ?? '', maxWordsLength), body, more: '', main: body, questions};
	}
	const known = summaryKeys.find(name => Object.hasOwn(input, name) && fieldText(input[name]) !== undefined);
	const best = known ?? Object.entries(input).find(([, value]) => fieldText(value) !== undefined)?.[0];
	const main = best === undefined ? undefined : fieldText(input[best]);
	if (best === undefined || main === undefined)
		return {words: safe``, body: '', more: details, main: details};
	const place = (best === 'pattern' || best === 'query') && fieldText(input.path);
	const body = place ? `${main} in ${place}` : main;
	const short = place
		? `${main} in ${pathIn(folder, place)}`
		: pathKeys.has(best)
			? pathIn(folder, main)
			: main;
	return {
		words: firstWords(known === undefined && files !== '' ? files : short),
		body,
		more: fieldLines(input, place ? [best, 'path'] : [best], without),
		main: known === undefined ? details : main,
	};
}

/** A path as seen from a folder that it is in. */
function pathIn(folder: string | undefined, path: string): string {
	const root = folder?.replace(/\/+$/, '');
	if (!root?.startsWith('/')) return path;
	if (path === root) return '.';
	return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

/** The first line, without the mark of a heading or a comment; an ellipsis replaces the others. */
function firstWords(text: string): Safe {
	const [line = '', ...others] = text.trim().split('\n', 2);
	const words = line.replace(/^#{1,6} +/, '');
	return cleanLine(others.length > 0 ? `${words} \u2026` : words, maxWordsLength);
}

function fieldLines(
	input: Readonly<Record<string, unknown>>,
	shown: readonly string[],
	without?: RegExp,
): string {
	return Object.entries(input)
		.filter(([name]) => !shown.includes(name) && !without?.test(name))
		.map(([name, value]) => `${name}: ${valueText(value)}`)
		.join('\n');
}

const shell = /^(?:.*\/)?(?:ba|z|da)?sh$/;
/** A script in quotes that is given to a shell, without such quotes inside. */
const shellScript = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c (?:'([^']*)'|"([^"\\]*)")$/;

/** The value of a field as text: a number, a string, or a command as a list of its words. */
function fieldText(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') {
		const [, quoted, doubleQuoted] = shellScript.exec(value) ?? [];
		return value.trim() === '' ? undefined : (quoted ?? doubleQuoted ?? value);
	}
	if (!Array.isArray(value) || value.length === 0) return undefined;
	if (!value.every((word): word is string => typeof word === 'string')) return undefined;
	// A script given to a shell is what matters.
	return shell.test(value[0] ?? '') && value.length === 3 ? value[2] : value.join(' ');
}

type Question = {readonly text: string; readonly options: readonly string[]};

/** Questions to the user with their options; none if it isn't a list of questions. */
function questionsIn(questions: unknown): Question[] {
	if (!Array.isArray(questions)) return [];
	return questions.flatMap((item: unknown): Question[] => {
		if (!isRecord(item) || typeof item.question !== 'string') return [];
		const options: readonly unknown[] = Array.isArray(item.options) ? item.options : [];
		const labels = options
			.filter(isRecord)
			.map(({label, description}) =>
				[label, description].filter(text => typeof text === 'string' && text !== '').join(': '),
			);
		return [{text: item.question, options: labels.map(label => `\u2022 ${label}`)}];
	});
}

function valueText(value: unknown): string {
	return typeof value === 'string' ? value : jsonOf(value);
}

/** A value of any depth as JSON, indented by `indent` if given, else on one line. */
export function jsonOf(value: unknown, indent?: number): string {
	try {
		return JSON.stringify(value, undefined, indent) ?? '';
	} catch {
		// Nested too deeply for the stack, and useless to a reader anyway.
		return '(nested too deep to show)';
	}
}
