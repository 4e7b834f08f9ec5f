import {z} from 'zod';
import {type AgentQuestion, questionOptions} from '../../domain/sessions/agent-request.ts';
import {fieldsText} from '../../domain/sessions/hook-request.ts';
import type {AgentRequest} from './agent-session.ts';
import {shownRequest} from './tool-text.ts';

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
): AgentRequest {
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
				...(multiSelect && {takesSeveral: true}),
				...(takesOnlyChoices && {takesOnlyChoices}),
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
