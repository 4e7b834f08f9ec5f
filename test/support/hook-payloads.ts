import type {HookData} from '../../hooks/wire.ts';
import type {Feed} from './run-fed.ts';

/** Events that the installer registers, further events of clients, and an unknown one. */
export const hookEvents = [
	'Notification',
	'Stop',
	'SubagentStop',
	'SessionEnd',
	'SessionStart',
	'UserPromptSubmit',
	'StopFailure',
	'SomethingNew',
] as const;

/** Stands in every payload where a client has words that must never be forwarded. */
const secretWords = 'never forward this prompt';

/** One way in which a client writes an event, and all that the hook must make of it. */
export type HookPayload = {
	readonly name: string;
	feed(event: string): Feed;
	data(event: string): HookData;
};

const ids = (event: string) => ({session_id: 's-1', hook_event_name: event, cwd: '/w'});
const whole = (event: string, more: object = {}) =>
	JSON.stringify({...ids(event), ...more, prompt: secretWords});
const once = (text: string): Feed => ({chunks: [text]});

const wide = '界🙂é'.repeat(20);
const overLong = 'x'.repeat(1.1 * 1024 * 1024);

export const hookPayloads: readonly HookPayload[] = [
	{name: 'whole', feed: event => once(whole(event)), data: ids},
	{name: 'empty', feed: () => once(''), data: () => ({damaged: 'empty'})},
	{
		name: 'cut',
		feed: event => once(whole(event).slice(0, -3)),
		data: event => ({...ids(event), damaged: 'cut'}),
	},
	{
		name: '1.1 MiB long',
		feed: event => once(whole(event, {tool_input: overLong})),
		data: event => ({...ids(event), damaged: 'too-long'}),
	},
	{
		name: 'in chunks that cut characters',
		feed: event => ({chunks: chunked(Buffer.from(whole(event, {message: wide})), 37)}),
		data: event => ({...ids(event), message: wide}),
	},
	{name: 'a list', feed: event => once(`[${whole(event)}]`), data: () => ({damaged: 'not-object'})},
	{name: 'a word', feed: () => once('null'), data: () => ({damaged: 'not-object'})},
	{name: 'no JSON', feed: () => once('hello'), data: () => ({damaged: 'not-json'})},
	{
		name: 'of wrong types',
		feed: event =>
			once(
				JSON.stringify({
					session_id: ['s'],
					hook_event_name: event,
					cwd: null,
					message: {a: 1},
					stop_hook_active: 'yes',
					background_tasks: -1,
					error: {message: 'e'},
				}),
			),
		data: event => ({hook_event_name: event, error: 'e'}),
	},
	{name: 'behind a byte order mark', feed: event => once(`\uFEFF${whole(event)}`), data: ids},
	{
		name: 'in camelCase',
		feed: event => once(JSON.stringify({sessionId: 's-1', hookEventName: event, cwd: '/w'})),
		data: ids,
	},
];

/** The client says its event, and never that it has ended: the hook's own deadline does. */
export const heldPayload: HookPayload = {
	name: 'without an end',
	feed: event => ({chunks: [whole(event)], held: true}),
	data: ids,
};

function chunked(bytes: Buffer, size: number): Buffer[] {
	return Array.from({length: Math.ceil(bytes.length / size)}, (_, index) =>
		bytes.subarray(index * size, (index + 1) * size),
	);
}
