import {z} from 'zod';
import type {AgentRequest} from './agent-session.ts';
import {cutText} from './tool-text.ts';

/** A question as clients send it. Its options are suggestions: any words may answer it. */
export const question = z.object({
	question: z.string(),
	options: z.array(z.object({label: z.string(), description: z.string().catch('')})).catch([]),
});

/** Questions of an agent as one request. A single one offers its options as `choices`. */
export function questionRequest(
	id: string,
	tool: string,
	questions: readonly z.infer<typeof question>[],
): AgentRequest {
	const text = questions
		.map(({question, options}) =>
			[
				question,
				...options.map(({label, description}) => `- ${label}${description && `: ${description}`}`),
			].join('\n'),
		)
		.join('\n\n');
	const [first, ...others] = questions;
	return {
		id,
		kind: 'question',
		tool,
		text: cutText(text),
		options: ['once', 'no'],
		...(first && others.length === 0 && {choices: first.options.map(({label}) => label)}),
	};
}
