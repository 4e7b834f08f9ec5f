import {z} from 'zod';
import {questionOptions} from '../../domain/sessions/agent-request.ts';
import {fieldsText} from '../../domain/sessions/hook-request.ts';
import type {AgentRequest} from './agent-session.ts';
import {asked} from './tool-text.ts';

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

/** Questions of an agent as one request. A single one offers its options as `choices`. */
export function questionRequest(
	id: string,
	tool: string,
	questions: readonly z.infer<typeof wholeQuestion>[],
	others: Readonly<Record<string, unknown>> = {},
): AgentRequest {
	const texts = questions.map(({question, header, multiSelect, options = [], ...more}) =>
		[
			header && !question.toLowerCase().includes(header.toLowerCase()) ? `${header}: ${question}` : question,
			...(multiSelect ? ['(more than one may be chosen)'] : []),
			fieldsText(more),
			...options.map(({label, description, ...rest}) =>
				[`- ${label}${description && `: ${description}`}`, fieldsText(rest)].filter(Boolean).join('\n'),
			),
		]
			.filter(Boolean)
			.join('\n'),
	);
	const [first, ...rest] = questions;
	return {
		id,
		kind: 'question',
		tool,
		...asked([...texts, fieldsText(others)].filter(Boolean).join('\n\n'), questionOptions),
		...(first && rest.length === 0 && {choices: (first.options ?? []).map(({label}) => label)}),
	};
}
