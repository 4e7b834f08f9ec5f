import {readFileSync, statSync} from 'node:fs';
import {z} from 'zod';
import type {AgentRequest, RequestAnswer, ToolInput} from './agent-session.ts';
import type {ToolRequest} from './claude-messages.ts';
import {question, questionRequest} from './questions.ts';
import {cutText, fileDiff} from './tool-text.ts';

const questions = z.object({questions: z.array(question).min(1)});

/** The client's answer to `can_use_tool`. "Always" repeats what the client itself suggested. */
export function responseTo(
	{tool_name: tool, input, permission_suggestions: suggestions}: ToolRequest,
	{option, words}: RequestAnswer,
) {
	if (option === 'no')
		return {behavior: 'deny', message: words || 'The user does not want this. Ask what to do instead.'};
	const asked = tool === 'AskUserQuestion' ? questions.safeParse(input) : undefined;
	return {
		behavior: 'allow',
		updatedInput: asked?.success
			? {
					...input,
					answers: Object.fromEntries(asked.data.questions.map(({question}) => [question, words ?? ''])),
				}
			: input,
		...(option === 'always' && suggestions && {updatedPermissions: suggestions}),
	};
}

/** A tool that the client asks to use, as a request: a question, a plan, the change of a file, or what it would run. */
export function requestOf(id: string, request: ToolRequest): AgentRequest {
	const {tool_name: tool, input, permission_suggestions: suggestions} = request;
	const asked = tool === 'AskUserQuestion' ? questions.safeParse(input) : undefined;
	if (asked?.success) return questionRequest(id, tool, asked.data.questions);
	const plan = tool === 'ExitPlanMode' && typeof input.plan === 'string' ? input.plan : undefined;
	if (plan !== undefined)
		return {id, kind: 'permission', tool, text: cutText(plan), isPlan: true, options: ['once', 'no']};
	return {
		id,
		kind: 'permission',
		tool,
		text: changeText(input) ?? cutText(inputText(input)),
		options: suggestions?.length ? ['once', 'always', 'no'] : ['once', 'no'],
	};
}

/** The inputs of the tools that change a file. */
const change = z.union([
	z.object({file_path: z.string(), content: z.string()}),
	z.object({
		file_path: z.string(),
		old_string: z.string(),
		new_string: z.string(),
		replace_all: z.boolean().catch(false),
	}),
]);

/** Largest file that is read to show a change, bytes. */
const maxReadSize = 1024 * 1024;

/** The change of a file that the tool would make, as a diff; undefined for other tools. */
function changeText(input: ToolInput): string | undefined {
	const read = change.safeParse(input);
	if (!read.success) return undefined;
	const {data} = read;
	const path = data.file_path;
	const before = currentText(path);
	if ('content' in data) return fileDiff(path, before, data.content);
	const {old_string: old, new_string: replacement, replace_all: isAll} = data;
	if (!before.includes(old)) return fileDiff(path, old, replacement);
	const after = isAll ? before.replaceAll(old, () => replacement) : before.replace(old, () => replacement);
	return fileDiff(path, before, after);
}

/** Empty for a file that is missing or too large, and for whatever isn't a file: a pipe would block. */
function currentText(path: string): string {
	try {
		const stats = statSync(path);
		return stats.isFile() && stats.size <= maxReadSize ? readFileSync(path, 'utf8') : '';
	} catch {
		return '';
	}
}

/** A tool's input in words: the command of a shell, else every field. */
function inputText(input: ToolInput): string {
	if (typeof input.command === 'string') return input.command;
	return Object.entries(input)
		.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join('\n');
}
