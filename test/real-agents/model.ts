import {readFileSync} from 'node:fs';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

/**
 * A stand-in for model APIs (Anthropic messages, OpenAI responses and chat completions, Gemini), so that real clients run
 * offline. The newest user text decides: TOOL asks for `touch made-by-tool`, WRITE for a file, EDIT for a change in it, ASK
 * for an answer, SLOW writes a word each second, FAIL401 and FAIL529 refuse, RECALL says whether an earlier message named a
 * banana, IMAGE how many images came, FILE which file of the prompt can be read, READ reads it by the client's own tool.
 * PLAN writes the plan's file and asks to leave the plan mode, TWO for two pages at once (both: Claude Code only), ORDER and CHOOSE
 * for the tools of `mcp-server.ts`. Anything else is answered with what
 * was said. Usage is always 1,234 in and 42 out.
 */
export async function startModel(): Promise<{readonly url: string; close(): void}> {
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const {url = ''} = request;
		let body: Body = {};
		try {
			body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
		} catch {
			// Not a model's call.
		}
		const api = apis.find(({path}) => path.test(url));
		if (request.method !== 'POST' || !api || /count_?tokens/i.test(url)) return answer(response, {data: []});
		const {text, result, hasTools} = api.read(body);
		if (/FAIL401/.test(text)) return answer(response, {error: {message: 'invalid key'}}, 401);
		if (/FAIL529/.test(text)) return answer(response, {error: {message: 'overloaded'}}, 529);
		const plan = hasTools ? planFor(text, result, JSON.stringify(body)) : {words: ['title']};
		if (body.stream === undefined && api.path !== gemini && !url.includes('stream'))
			return answer(response, {
				content: [{type: 'text', text: 'title'}],
				choices: [{message: {content: 'title'}}],
			});
		response.writeHead(200, {'content-type': 'text/event-stream'});
		await api.write(response, plan, body);
		response.end();
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

type Item = {role?: string; type?: string; content?: unknown; parts?: Part[]};
type Part = {type?: string; text?: string; functionResponse?: unknown};
type Tool = {name?: string; function?: {name: string}; functionDeclarations?: unknown[]};
type Body = {stream?: boolean; messages?: Item[]; input?: Item[]; contents?: Item[]; tools?: Tool[]};

type Call = 'tool' | 'two' | 'write' | 'edit' | 'ask' | 'plan' | 'leave' | 'read' | 'order' | 'choose';
type Plan = {
	readonly words?: readonly string[];
	readonly isSlow?: boolean;
	readonly call?: Call;
	/** What `read` reads, and `plan` writes. */
	readonly path?: string;
};
/** `result` is that of the tool that was called last, as JSON. */
type Read = {readonly text: string; readonly result: string | undefined; readonly hasTools: boolean};
type Api = {
	readonly path: RegExp;
	read(body: Body): Read;
	write(response: ServerResponse, plan: Plan, body: Body): Promise<void>;
};

function planFor(text: string, result: string | undefined, body: string): Plan {
	if (/RECALL/.test(text)) return {words: [`recalled: ${body.includes('the word is banana')}`]};
	if (/IMAGE/.test(text)) {
		const images = body.match(/"type":"(?:image|input_image|image_url)"|"inlineData":/g) ?? [];
		return {words: [`images: ${images.length}`]};
	}
	if (/FILE/.test(text)) return {words: [`files: ${readFiles(body).join(', ')}`]};
	if (/READ/.test(text)) {
		if (result) return {words: [`read: ${body.includes('words of the note')}`]};
		return {call: 'read', path: notePaths(body)[0] ?? '/none'};
	}
	if (result && /ASK|ORDER|CHOOSE/.test(text)) return {words: [`answered: ${result}`]};
	if (result && /toolu_plan_/.test(result)) return {call: 'leave'};
	if (result) return {words: ['The tool ', 'is done: ', 'RESULT-SEEN.']};
	if (/TWO/.test(text)) return {call: 'two'};
	if (/TOOL/.test(text)) return {call: 'tool'};
	if (/WRITE/.test(text)) return {call: 'write'};
	if (/EDIT/.test(text)) return {call: 'edit'};
	if (/ASK/.test(text)) return {call: 'ask'};
	if (/ORDER/.test(text)) return {call: 'order'};
	if (/CHOOSE/.test(text)) return {call: 'choose'};
	if (/PLAN/.test(text))
		return {call: 'plan', path: body.match(/\/[^\s"]*\/plans\/[\w-]+\.md/)?.[0] ?? '/none'};
	if (/SLOW/.test(text)) return {words: Array.from({length: 30}, (_, n) => `word${n + 1} `), isSlow: true};
	return {words: ['You said: ', text.slice(-60)]};
}

/** What stands in the prompt of a text file named `note`: its words, or else where it can be read. */
function readFiles(body: string): string[] {
	if (body.includes('words of the note')) return ['in the prompt'];
	return notePaths(body).map(path => `${path} ${isReadable(path) ? 'is' : "isn't"} readable`);
}

function notePaths(body: string): string[] {
	return [...new Set(body.match(/\/[^\s"'@()\\]*note[\w-]*\.txt/g))];
}

function isReadable(path: string): boolean {
	try {
		return readFileSync(path, 'utf8').includes('words of the note');
	} catch {
		return false;
	}
}

/** The last text: clients merge a message with an unanswered one before it. */
function textOf({content, parts}: Item): string {
	if (typeof content === 'string') return content;
	const list = parts ?? (Array.isArray(content) ? (content as Part[]) : []);
	const texts = list.flatMap(({text = ''}) =>
		/^(?:<(?:system-reminder|\/?image)|\[Image: )/.test(text) ? [] : text.trim(),
	);
	return texts.findLast(text => text !== '') ?? '';
}

function newestText(items: readonly Item[] = []): string {
	return (
		items
			.filter(item => item.role === 'user' && textOf(item).trim() !== '')
			.map(textOf)
			.at(-1) ?? ''
	);
}

function findPart(item: Item | undefined, isWanted: (part: Part) => boolean): string | undefined {
	const parts = [...(item?.parts ?? []), ...(Array.isArray(item?.content) ? (item.content as Part[]) : [])];
	const found = parts.find(isWanted);
	return found && JSON.stringify(found);
}

/** Clients merge messages of one id. */
let count = 0;
const gemini = /enerateContent/;
const usage = {input_tokens: 1234, output_tokens: 42};
const command = {command: 'touch made-by-tool', description: 'make a file'};
const newFile = () => `${process.cwd()}/new.txt`;
const [written, before, after] = ['hello\nworld\n', 'world', 'moon'];
const tea = {item: 'tea'};
const plan = '# The plan\n\n1. **Make** the file\n2. Look at it';
const colors = {
	question: 'Which color?',
	header: 'Color',
	options: ['Red', 'Blue'].map(label => ({label, description: label})),
};

const apis: readonly Api[] = [
	{
		path: /\/messages/,
		read: ({messages = [], tools = []}) => ({
			text: newestText(messages),
			result: findPart(
				messages.findLast(({role}) => role === 'user'),
				({type}) => type === 'tool_result',
			),
			hasTools: tools.length > 0,
		}),
		async write(response, {words = [], isSlow, call, path}) {
			const send = (type: string, data: object) =>
				response.write(`event: ${type}\ndata: ${JSON.stringify({type, ...data})}\n\n`);
			const message = {id: `msg_${++count}`, type: 'message', role: 'assistant', model: 'mock', content: []};
			send('message_start', {message: {...message, usage: {...usage, output_tokens: 1}}});
			const tools = {
				tool: [['Bash', command]],
				two: ['one', 'two'].map(name => ['WebFetch', {url: `https://${name}.invalid/`, prompt: name}]),
				read: [['Read', {file_path: path}]],
				write: [['Write', {file_path: newFile(), content: written}]],
				edit: [['Edit', {file_path: newFile(), old_string: before, new_string: after}]],
				plan: [['Write', {file_path: path, content: plan}]],
				leave: [['ExitPlanMode', {}]],
				order: [['mcp__shop__order', tea]],
				choose: [['mcp__shop__choose', tea]],
				ask: [['AskUserQuestion', {questions: [{...colors, multiSelect: false}]}]],
			};
			if (call) {
				for (const [index, [name, input]] of tools[call].entries()) {
					const block = {type: 'tool_use', id: `toolu_${call}_${count}_${index}`, name, input: {}};
					send('content_block_start', {index, content_block: block});
					const partial = {type: 'input_json_delta', partial_json: JSON.stringify(input)};
					send('content_block_delta', {index, delta: partial});
					send('content_block_stop', {index});
				}
			} else {
				send('content_block_start', {index: 0, content_block: {type: 'text', text: ''}});
				await each(response, words, isSlow, text =>
					send('content_block_delta', {index: 0, delta: {type: 'text_delta', text}}),
				);
				send('content_block_stop', {index: 0});
			}
			const stop = {stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null};
			send('message_delta', {delta: stop, usage: {output_tokens: 42}});
			send('message_stop', {});
		},
	},
	{
		path: /\/responses/,
		read({input = [], tools = []}) {
			// Codex tells of the tools of an MCP server that starts late between a result and the model's turn.
			const last = input.findLast(({role}) => role !== 'developer');
			const isResult = /_output$/.test(last?.type ?? '');
			return {
				text: newestText(input),
				result: isResult ? JSON.stringify(last) : undefined,
				hasTools: tools.length > 0,
			};
		},
		async write(response, {words = [], isSlow, call, path}, {tools = []}) {
			const send = (type: string, data: object) =>
				response.write(`event: ${type}\ndata: ${JSON.stringify({type, ...data})}\n\n`);
			send('response.created', {
				response: {id: 'resp', object: 'response', status: 'in_progress', output: []},
			});
			const text = words.join('');
			const content = [{type: 'output_text', text, annotations: []}];
			const whole = call
				? {id: 'fc', call_id: `call_${++count}`, ...codexCall(call, path, tools)}
				: {type: 'message', id: 'm', role: 'assistant', content};
			send('response.output_item.added', {output_index: 0, item: {...whole, content: [], arguments: ''}});
			await each(response, words, isSlow, delta =>
				send('response.output_text.delta', {item_id: 'm', output_index: 0, content_index: 0, delta}),
			);
			send('response.output_item.done', {output_index: 0, item: {...whole, status: 'completed'}});
			const details = {
				input_tokens_details: {cached_tokens: 0},
				output_tokens_details: {reasoning_tokens: 0},
			};
			const total = {...usage, ...details, total_tokens: 1276};
			const done = {id: 'resp', object: 'response', status: 'completed', output: [whole], usage: total};
			send('response.completed', {response: done});
		},
	},
	{
		path: /\/chat\/completions/,
		read: ({messages = [], tools = []}) => ({
			text: newestText(messages),
			result: messages.at(-1)?.role === 'tool' ? JSON.stringify(messages.at(-1)) : undefined,
			hasTools: tools.length > 0,
		}),
		async write(response, {words = [], isSlow, call, path}) {
			const send = (data: object) =>
				response.write(
					`data: ${JSON.stringify({id: 'c', object: 'chat.completion.chunk', created: 1, model: 'mock', ...data})}\n\n`,
				);
			const calls: Partial<Record<Call, readonly [name: string, input: object]>> = {
				read: ['read', {filePath: path}],
				write: ['write', {filePath: newFile(), content: written}],
				edit: ['edit', {filePath: newFile(), oldString: before, newString: after}],
				ask: ['question', {questions: [colors]}],
			};
			const [name, input] = (call && calls[call]) ?? ['bash', command];
			const called = {name, arguments: JSON.stringify(input)};
			const toolCall = {index: 0, id: `call_${++count}`, type: 'function', function: called};
			if (call) send({choices: [{index: 0, delta: {role: 'assistant', tool_calls: [toolCall]}}]});
			await each(response, words, isSlow, content =>
				send({choices: [{index: 0, delta: {role: 'assistant', content}, finish_reason: null}]}),
			);
			const total = {prompt_tokens: 1234, completion_tokens: 42, total_tokens: 1276};
			send({choices: [{index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop'}], usage: total});
			response.write('data: [DONE]\n\n');
		},
	},
	{
		path: gemini,
		read: ({contents = [], tools = []}) => ({
			text: newestText(contents),
			result: findPart(contents.at(-1), ({functionResponse}) => functionResponse !== undefined),
			hasTools: tools.some(({functionDeclarations = []}) => functionDeclarations.length > 0),
		}),
		async write(response, {words = [], isSlow, call, path}) {
			const usageMetadata = {promptTokenCount: 1234, candidatesTokenCount: 42, totalTokenCount: 1276};
			const send = (parts: object[], more: object = {}) =>
				response.write(
					`data: ${JSON.stringify({candidates: [{content: {role: 'model', parts}, index: 0, ...more}], usageMetadata})}\n\n`,
				);
			const file = {file_path: newFile(), instruction: 'say moon'};
			const calls: Partial<Record<Call, object>> = {
				read: {name: 'read_file', args: {file_path: path}},
				write: {name: 'write_file', args: {file_path: newFile(), content: written}},
				edit: {name: 'replace', args: {...file, old_string: before, new_string: after}},
				ask: {name: 'ask_user', args: {questions: [{...colors, type: 'choice'}]}},
			};
			const functionCall = (call && calls[call]) ?? {name: 'run_shell_command', args: command};
			if (call) return void send([{functionCall}], {finishReason: 'STOP'});
			await each(response, words, isSlow, text => send([{text}]));
			send([{text: ''}], {finishReason: 'STOP'});
		},
	},
];

/** Codex offers `apply_patch` as a tool to the models that it knows; the others call it by the shell. */
function codexCall(call: Call, path: string | undefined, tools: readonly Tool[]) {
	const patches: Partial<Record<Call, string>> = {
		write: `*** Add File: new.txt\n${written.replace(/^(?=.)/gm, '+')}`,
		edit: `*** Update File: new.txt\n@@\n hello\n-${before}\n+${after}\n`,
	};
	const change = patches[call] && `*** Begin Patch\n${patches[call]}*** End Patch\n`;
	if (change && tools.some(({name}) => name === 'apply_patch'))
		return {type: 'custom_tool_call', name: 'apply_patch', input: change};
	const escalated = {sandbox_permissions: 'require_escalated', justification: 'needs it'};
	const input = () => {
		if (call === 'ask') return {questions: [{...colors, id: 'color'}]};
		if (change) return {cmd: `apply_patch <<'EOF'\n${change}EOF`};
		return call === 'read' ? {cmd: `cat '${path}'`} : {cmd: command.command, ...escalated};
	};
	if (call === 'order' || call === 'choose')
		return {
			type: 'function_call',
			namespace: 'mcp__shop',
			name: call,
			arguments: JSON.stringify(tea),
		};
	const name = call === 'ask' ? 'request_user_input' : 'exec_command';
	return {type: 'function_call', name, arguments: JSON.stringify(input())};
}

async function each(
	response: ServerResponse,
	words: readonly string[],
	isSlow: boolean | undefined,
	send: (word: string) => void,
): Promise<void> {
	for (const word of words) {
		if (response.destroyed) return;
		send(word);
		if (isSlow) await new Promise(resolve => setTimeout(resolve, 1000));
	}
}

function answer(response: ServerResponse, value: object, status = 200): void {
	response.writeHead(status, {'content-type': 'application/json'});
	response.end(JSON.stringify(value));
}
