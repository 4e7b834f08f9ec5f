import {isAbsolute} from 'node:path';
import {z} from 'zod';
import type {RequestAnswer} from '../../domain/sessions/agent-request.ts';
import {fieldsText, toolText} from '../../domain/sessions/hook-request.ts';
import {pathsIn, pathWarnings} from '../../domain/sessions/path-warnings.ts';
import {suggestedOptions} from '../../domain/sessions/suggested-changes.ts';
import type {NewRequest, ToolInput} from './agent-session.ts';
import type {ClientRequest} from './claude-messages.ts';
import {
	type Elicitation,
	elicitationReply,
	elicitationRequest,
	questionRequest,
	wholeQuestion,
} from './questions.ts';
import {editDiff, editsDiff, shownRequest, writeDiff} from './tool-text.ts';

type ToolRequest = ClientRequest & {subtype: 'can_use_tool'};

const questions = z.looseObject({questions: z.array(wholeQuestion).min(1)});

/** Our response to a request: the client's own input, and its suggestions that belong to the chosen option. */
export function responseTo(request: ClientRequest, answer: RequestAnswer) {
	if (request.subtype === 'elicitation') return elicitationReply(elicitationOf(request), answer);
	const {tool_name: tool, input, permission_suggestions: suggestions = []} = request;
	const {option, words, answers = []} = answer;
	if (option === 'no')
		return {behavior: 'deny', message: words || 'The user does not want this. Ask what to do instead.'};
	const parsedQuestions = tool === 'AskUserQuestion' ? questions.safeParse(input) : undefined;
	const updates = optionsOf(request)
		.find(({word}) => word === option)
		?.applies?.map(index => suggestions[index]);
	return {
		behavior: 'allow',
		updatedInput: parsedQuestions?.success
			? {
					...input,
					answers: Object.fromEntries(
						parsedQuestions.data.questions.map(({question}, index) => [
							question,
							answers[index] ?? words ?? '',
						]),
					),
				}
			: input,
		updatedPermissions: updates?.length ? updates : undefined,
	};
}

function optionsOf({tool_name: tool, input, permission_suggestions: suggestions = []}: ToolRequest) {
	return suggestedOptions(tool, input, suggestions);
}

/** Our response to a request that the user isn't asked about, with the reason. */
export function cancelOf({subtype}: ClientRequest, message: string) {
	return subtype === 'elicitation' ? {action: 'cancel'} : {behavior: 'deny', message};
}

function elicitationOf(request: ClientRequest & {subtype: 'elicitation'}): Elicitation {
	const {mcp_server_name: server, message, requested_schema: fields, url} = request;
	return {server, message, fields, url};
}

/**
 * Turns a request of the client into a question, a plan, the diff of a file, or the tool's input. Shows every field of
 * the input, since allowing it sends all of them back.
 */
export function requestOf(id: string, request: ClientRequest, cwd: string): NewRequest {
	if (request.subtype === 'elicitation') return elicitationRequest(id, elicitationOf(request));
	const {tool_name: tool, input} = request;
	const parsedQuestions = tool === 'AskUserQuestion' ? questions.safeParse(input) : undefined;
	if (parsedQuestions?.success) {
		const {questions: all, ...others} = parsedQuestions.data;
		return questionRequest(id, tool, all, others);
	}
	const {plan, ...besidePlan} = input;
	if (tool === 'ExitPlanMode' && typeof plan === 'string') {
		const text = [plan, fieldsText(besidePlan)].filter(Boolean).join('\n\n') || tool;
		return {id, kind: 'permission', tool, ...shownRequest(text, optionsOf(request)), isPlan: true};
	}
	return {
		id,
		kind: 'permission',
		tool,
		...shownRequest(changeText(tool, input) ?? (toolText(input) || tool), optionsOf(request), {
			warnings: pathWarnings(pathsIn(input), cwd),
		}),
	};
}

/** The client would resolve another path against a folder of its own. */
const path = z.string().refine(isAbsolute);
const write = z.strictObject({file_path: path, content: z.string()});
const replacement = {
	old_string: z.string(),
	new_string: z.string(),
	replace_all: z.boolean().default(false),
};
const edit = z.strictObject({file_path: path, ...replacement});
const multiEdit = z.strictObject({
	file_path: path,
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
