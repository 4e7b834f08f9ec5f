import {createInterface} from 'node:readline';

/**
 * An MCP server over standard input and output: `order` is a tool that needs a permission, `choose` asks for a color
 * before it returns.
 */

type Message = {
	readonly id?: number | string;
	readonly method?: string;
	readonly params?: {readonly name?: string; readonly protocolVersion?: string};
	readonly result?: unknown;
};

const inputSchema = {type: 'object', properties: {item: {type: 'string'}}};
const tools = [
	{name: 'order', description: 'Orders an item', inputSchema},
	{name: 'choose', description: 'Chooses a color', inputSchema, annotations: {readOnlyHint: true}},
];
const color = {type: 'string', title: 'Color', enum: ['Red', 'Blue']};
const form = {
	message: 'Which color?',
	requestedSchema: {type: 'object', properties: {color}, required: ['color']},
};

const send = (message: object) => process.stdout.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
let lastId = 0;
/** The calls that wait for a form, by the id of its request. */
const calls = new Map<unknown, Message['id']>();

createInterface({input: process.stdin}).on('line', line => {
	const {id, method, params, result} = JSON.parse(line) as Message;
	const done = (id: Message['id'], text: string) =>
		send({id, result: {content: [{type: 'text', text: `the shop says ${text}`}]}});
	if (method === undefined) done(calls.get(id), JSON.stringify(result));
	else if (method === 'initialize')
		send({
			id,
			result: {
				protocolVersion: params?.protocolVersion,
				capabilities: {tools: {}},
				serverInfo: {name: 'shop', version: '1'},
			},
		});
	else if (method === 'tools/list') send({id, result: {tools}});
	else if (method === 'tools/call' && params?.name === 'order') done(id, 'ORDERED');
	else if (method === 'tools/call') {
		calls.set(`form ${++lastId}`, id);
		send({id: `form ${lastId}`, method: 'elicitation/create', params: form});
	} else if (id !== undefined) send({id, result: {}});
});
