import {z} from 'zod';
import {agentCommands} from './agent-session.ts';
import {formFields} from './questions.ts';
import {cutText} from './tool-text.ts';

const toolInput = z.record(z.string(), z.unknown());
const count = z.number().nonnegative().catch(0);

const usage = z.object({
	input_tokens: count,
	output_tokens: count,
	cache_read_input_tokens: count,
	cache_creation_input_tokens: count,
});

const delta = z.union([
	z.object({type: z.literal('text_delta'), text: z.string()}),
	z.object({type: z.literal('thinking_delta'), thinking: z.string()}),
]);

const contentBlock = z.union([
	z.object({type: z.literal('text'), text: z.string()}),
	z.object({type: z.literal('thinking'), thinking: z.string()}),
	z.object({
		type: z.literal('tool_use'),
		id: z.string().max(200),
		name: z.string().max(200),
		input: toolInput.catch({}),
	}),
	z.object({
		type: z.literal('tool_result'),
		tool_use_id: z.string().max(200),
		content: z.unknown().optional(),
		is_error: z.boolean().nullish(),
	}),
]);

const content = z.union([
	z.string().transform(text => [{type: 'text' as const, text}]),
	z.array(z.unknown()).transform(items =>
		items.flatMap(item => {
			const read = contentBlock.safeParse(item);
			return read.success ? [read.data] : [];
		}),
	),
]);

/** What a tool that changed a file reports. */
const patch = z.object({
	filePath: z.string(),
	structuredPatch: z
		.array(z.object({oldStart: z.number(), newStart: z.number(), lines: z.array(z.string())}))
		.min(1),
});

/** The messages of the client that mean something here; all others are ignored. */
export const fromClient = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('system'),
		subtype: z.string(),
		session_id: z.string().max(200).optional(),
		attempt: z.number().optional().catch(undefined),
		max_retries: z.number().optional().catch(undefined),
		error: z.string().optional().catch(undefined),
		permissionMode: z.string().max(40).optional().catch(undefined),
		task_id: z.string().max(200).optional().catch(undefined),
		task_type: z.string().optional().catch(undefined),
		compact_metadata: z.object({post_tokens: count.optional()}).optional().catch(undefined),
	}),
	z.object({
		type: z.literal('stream_event'),
		parent_tool_use_id: z.string().nullish(),
		event: z.object({
			type: z.string(),
			delta: delta.optional().catch(undefined),
			usage: z.object({output_tokens: count}).optional().catch(undefined),
		}),
	}),
	z.object({
		type: z.literal('assistant'),
		parent_tool_use_id: z.string().nullish(),
		message: z.object({
			content,
			model: z.string().max(200).optional(),
			usage: usage.optional().catch(undefined),
		}),
	}),
	z.object({
		type: z.literal('user'),
		parent_tool_use_id: z.string().nullish(),
		message: z.object({content}),
		tool_use_result: z.unknown().optional(),
	}),
	z.object({
		type: z.literal('result'),
		subtype: z.string(),
		is_error: z.boolean().catch(false),
		result: z.string().optional(),
		errors: z.array(z.string()).optional().catch(undefined),
		session_id: z.string().max(200).optional(),
		total_cost_usd: count.optional(),
		usage: usage.optional().catch(undefined),
		modelUsage: z
			.record(z.string(), z.object({contextWindow: count.optional()}))
			.optional()
			.catch(undefined),
	}),
	z.object({
		type: z.literal('control_response'),
		response: z.object({
			subtype: z.string(),
			request_id: z.string(),
			error: z.string().optional(),
			response: z
				.object({
					mode: z.string().max(40).optional().catch(undefined),
					commands: agentCommands.optional().catch(undefined),
				})
				.optional()
				.catch(undefined),
		}),
	}),
	z.object({
		type: z.literal('control_request'),
		request_id: z.string().max(200),
		request: z.discriminatedUnion('subtype', [
			z.object({
				subtype: z.literal('can_use_tool'),
				tool_name: z.string().max(200),
				input: toolInput,
				permission_suggestions: z.array(z.record(z.string(), z.unknown())).optional().catch(undefined),
			}),
			z.object({
				subtype: z.literal('elicitation'),
				mcp_server_name: z.string().max(200),
				message: z.string(),
				requested_schema: formFields.optional(),
				url: z.string().optional(),
			}),
		]),
	}),
	z.object({type: z.literal('control_cancel_request'), request_id: z.string()}),
]);

export type FromClient = z.infer<typeof fromClient>;
/** A request of the client: to use a tool, or on behalf of an MCP server. */
export type ClientRequest = (FromClient & {type: 'control_request'})['request'];

/** The result of a tool as text: its change of a file, or else its output. */
export function toolResultText(content: unknown, result: unknown): string {
	return patchText(result) ?? contentText(content);
}

function patchText(result: unknown): string | undefined {
	const read = patch.safeParse(result);
	if (!read.success) return undefined;
	const {filePath, structuredPatch} = read.data;
	const hunks = structuredPatch.map(({oldStart, newStart, lines}) => {
		const old = lines.filter(line => !line.startsWith('+')).length;
		const added = lines.filter(line => !line.startsWith('-')).length;
		return [`@@ -${oldStart},${old} +${newStart},${added} @@`, ...lines].join('\n');
	});
	return cutText([`--- ${filePath}`, `+++ ${filePath}`, ...hunks].join('\n'));
}

function contentText(content: unknown): string {
	if (typeof content === 'string') return cutText(content);
	if (!Array.isArray(content)) return '';
	const words = content.map(item => {
		const read = z.object({type: z.string(), text: z.string().optional()}).safeParse(item);
		return read.success ? (read.data.text ?? `[${read.data.type}]`) : '';
	});
	return cutText(words.join('\n'));
}
