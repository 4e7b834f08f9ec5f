import {z} from 'zod';
import {toolText} from '../../domain/sessions/hook-request.ts';
import type {AgentRequest, RequestAnswer, ToolInput} from './agent-session.ts';
import type {ClientRequest} from './claude-messages.ts';
import {type Elicitation, elicitationReply, elicitationRequest} from './elicitations.ts';
import {question, questionRequest} from './questions.ts';
import {editDiff, editsDiff, requestText, writeDiff} from './tool-text.ts';

const questions = z.object({questions: z.array(question).min(1)});

/** Our response to a request. "Always" repeats the rules that the client itself suggested. */
export function responseTo(request: ClientRequest, answer: RequestAnswer) {
	if (request.subtype === 'elicitation') return elicitationReply(elicitationOf(request), answer);
	const {tool_name: tool, input, permission_suggestions: suggestions} = request;
	const {option, words} = answer;
	if (option === 'no')
		return {behavior: 'deny', message: words || 'The user does not want this. Ask what to do instead.'};
	const parsedQuestions = tool === 'AskUserQuestion' ? questions.safeParse(input) : undefined;
	return {
		behavior: 'allow',
		updatedInput: parsedQuestions?.success
			? {
					...input,
					answers: Object.fromEntries(
						parsedQuestions.data.questions.map(({question}) => [question, words ?? '']),
					),
				}
			: input,
		...(option === 'always' && suggestions && {updatedPermissions: suggestions}),
	};
}

/** Our response to a request that comes when no turn runs. */
export function cancelOf({subtype}: ClientRequest) {
	return subtype === 'elicitation' ? {action: 'cancel'} : {behavior: 'deny', message: 'No turn is running.'};
}

function elicitationOf(request: ClientRequest & {subtype: 'elicitation'}): Elicitation {
	const {mcp_server_name: server, message, requested_schema: fields, url} = request;
	return {server, message, fields, url};
}

/** Turns a request of the client into a question, a plan, the diff of a file, or the tool's input. */
export function requestOf(id: string, request: ClientRequest): AgentRequest {
	if (request.subtype === 'elicitation') return elicitationRequest(id, elicitationOf(request));
	const {tool_name: tool, input, permission_suggestions: suggestions} = request;
	const parsedQuestions = tool === 'AskUserQuestion' ? questions.safeParse(input) : undefined;
	if (parsedQuestions?.success) return questionRequest(id, tool, parsedQuestions.data.questions);
	const plan = tool === 'ExitPlanMode' && typeof input.plan === 'string' ? input.plan : undefined;
	if (plan !== undefined)
		return {id, kind: 'permission', tool, ...requestText(plan, ['once', 'no']), isPlan: true};
	return {
		id,
		kind: 'permission',
		tool,
		...requestText(
			changeText(tool, input) ?? toolText(tool, input),
			suggestions?.length ? ['once', 'always', 'no'] : ['once', 'no'],
		),
	};
}

const write = z.strictObject({file_path: z.string(), content: z.string()});
const replacement = {
	old_string: z.string(),
	new_string: z.string(),
	replace_all: z.boolean().default(false),
};
const edit = z.strictObject({file_path: z.string(), ...replacement});
const multiEdit = z.strictObject({
	file_path: z.string(),
	edits: z.array(z.strictObject(replacement)).min(1).max(100),
});

/** The change of a file that the client's own tools would make, as a diff; undefined for any other input. */
function changeText(tool: string, input: ToolInput): string | undefined {
	if (tool === 'Write') {
		const {data} = write.safeParse(input);
		return data && writeDiff(data.file_path, data.content);
	}
	if (tool === 'MultiEdit') {
		const {data} = multiEdit.safeParse(input);
		return data && editsDiff(data.file_path, data.edits.map(toEdit));
	}
	const {data} = tool === 'Edit' ? edit.safeParse(input) : {};
	return data && editDiff(data.file_path, toEdit(data));
}

function toEdit(fields: Omit<z.infer<typeof edit>, 'file_path'>) {
	const {old_string: old, new_string: replacement, replace_all: isAll} = fields;
	return {old, replacement, isAll};
}
