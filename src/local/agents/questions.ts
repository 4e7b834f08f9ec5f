import {z} from 'zod';
import {
	type AgentQuestion,
	noOption,
	onceOption,
	questionOptions,
	type RequestAnswer,
} from '../../domain/sessions/agent-request.ts';
import {fieldsText} from '../../domain/sessions/hook-request.ts';
import type {NewRequest} from './agent-session.ts';
import {cutText, shownRequest} from './tool-text.ts';

const option = {label: z.string(), description: z.string().catch('')};
const fields = {
	question: z.string(),
	header: z.string().optional().catch(undefined),
	multiSelect: z.boolean().optional().catch(undefined),
};

/** A question as clients send it. Its options are suggestions: any words may answer it. */
export const question = z.object({...fields, options: z.array(z.object(option)).catch([])});
/** A question that goes back to its client with the answer: whatever else it holds is shown, too. */
export const wholeQuestion = z.looseObject({
	...fields,
	options: z.array(z.looseObject(option)).optional(),
});

/** Questions of an agent as one request, which shows all that goes back to its client. */
export function questionRequest(
	id: string,
	tool: string,
	questions: readonly z.infer<typeof wholeQuestion>[],
	others: Readonly<Record<string, unknown>> = {},
	takesOnlyChoices = false,
): NewRequest {
	const all = questions.map(
		({question, header, multiSelect, options = [], ...more}, index): AgentQuestion => {
			const hasHeader = header && !question.toLowerCase().includes(header.toLowerCase());
			const text = [
				hasHeader ? `${header}: ${question}` : question,
				fieldsText(more),
				index === 0 ? fieldsText(others) : '',
			];
			return {
				text: text.filter(Boolean).join('\n'),
				choices: options.map(({label, description, ...rest}) => ({
					label,
					description: [description, fieldsText(rest)].filter(Boolean).join('\n'),
				})),
				takesSeveral: multiSelect || undefined,
				takesOnlyChoices: takesOnlyChoices || undefined,
			};
		},
	);
	const texts = all.map(({text, choices, takesSeveral}) =>
		[
			text,
			...(takesSeveral ? ['(more than one may be chosen)'] : []),
			...choices.map(({label, description}) => `- ${label}${description && `: ${description}`}`),
		].join('\n'),
	);
	return {id, kind: 'question', tool, ...shownRequest(texts.join('\n\n'), questionOptions), questions: all};
}

const field = z.object({
	type: z.string().optional(),
	title: z.string().optional(),
	description: z.string().optional(),
	enum: z.array(z.string()).optional(),
	enumNames: z.array(z.string()).optional(),
	oneOf: z.array(z.object({const: z.string(), title: z.string()})).optional(),
});
type Field = z.infer<typeof field>;

/** The fields of a form, as the clients pass them on. */
export const formFields = z
	.object({properties: z.record(z.string(), field)})
	.transform(({properties}) => properties);

/** A request of an MCP server to the user: to fill in a form, or to visit an address. With neither, a consent. */
export type Elicitation = {
	readonly server: string;
	readonly message: string;
	readonly fields?: Readonly<Record<string, Field>> | undefined;
	readonly url?: string | undefined;
};

/** A form with one field is a question. One that we can't fill in is shown too, and can only be denied. */
export function elicitationRequest(id: string, elicitation: Elicitation): NewRequest {
	const {server, message, fields = {}, url} = elicitation;
	const permission = {id, kind: 'permission', tool: server} as const;
	const labels = Object.entries(fields).map(([name, {title, description}]) =>
		[title ?? name, description].filter(Boolean).join(': '),
	);
	if (labels.length === 0)
		return {
			...permission,
			...shownRequest([message, url].filter(Boolean).join('\n\n'), [onceOption, noOption]),
		};
	const choices = choicesOf(onlyField(elicitation)?.field);
	if (!choices) {
		const form = [message, labels.map(label => `- ${label}`).join('\n')].join('\n\n');
		const hint = "This form can't be filled in here: it can only be denied.";
		return {...permission, text: `${cutText(form)}\n\n${hint}`, options: [noOption]};
	}
	const options = choices.map(({label, description}) => ({label, description}));
	const question = `${server}: ${message}\n\n${labels[0]}`;
	return questionRequest(id, server, [{question, options}], {}, choices.length > 0);
}

/** The server's answer; its form gets the user's words, or the choice that they are. */
export function elicitationReply(elicitation: Elicitation, {option, words}: RequestAnswer) {
	if (option === 'no') return {action: 'decline'};
	const only = onlyField(elicitation);
	const value = choicesOf(only?.field)?.find(({label}) => label === words)?.const ?? words;
	return {action: 'accept', content: elicitation.fields && (only ? {[only.name]: value} : {})};
}

function onlyField({fields = {}}: Elicitation) {
	const [first, ...others] = Object.entries(fields).map(([name, field]) => ({name, field}));
	return others.length === 0 ? first : undefined;
}

/**
 * The choices of a field, named as they are sent: a title only describes one. An empty list for free text, undefined if
 * no text can answer it.
 */
function choicesOf(field: Field | undefined) {
	if (field?.type === 'boolean')
		return [
			{const: true, label: 'Yes', description: ''},
			{const: false, label: 'No', description: ''},
		];
	if (field?.type !== 'string') return undefined;
	const {enum: values = [], enumNames: names = [], oneOf} = field;
	const titled = oneOf ?? values.map((value, index) => ({const: value, title: names[index] ?? value}));
	return titled.map(({const: value, title}) => ({
		const: value,
		label: value,
		description: title === value ? '' : title,
	}));
}
