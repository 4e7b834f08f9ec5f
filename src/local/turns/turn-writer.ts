import {randomUUID} from 'node:crypto';
import {cutMark} from '../../domain/messages/message.ts';
import {thousands} from '../../domain/numbers.ts';
import type {AgentEvent, NewRequest, ToolInput} from '../agents/agent-session.ts';
import {cutText} from '../agents/tool-text.ts';
import type {BackgroundContext} from '../context.ts';
import {createGrowingMessages, type GrowingMessage} from '../storage/growing-messages.ts';
import type {RequestState, ShownRequest, StoredItem} from '../storage/messages.ts';

/** Maximum size (UTF-16 units) and number of items of one message; the answer continues in a new one. */
const maxMessageSize = 256 * 1024;
const maxItems = 100;
/** Maximum saved size of one turn, UTF-16 units, and how much the agent may say beyond it. */
const maxTurnSize = 4 * 1024 * 1024;
const maxLastWords = 256 * 1024;
/** Size of an item beyond its text. */
const itemSize = 200;
/** Maximum size of a tool's input, UTF-16 units. */
const maxInputSize = 64 * 1024;

type TextItem = StoredItem & {type: 'text'};

type Draft = GrowingMessage & {readonly content: StoredItem[]; size: number};

function newDraft(role: Draft['role']): Draft {
	const content: StoredItem[] = [];
	return {
		id: randomUUID(),
		role,
		content,
		size: 0,
		get text() {
			return content.flatMap(item => (item.type === 'text' ? item.text : [])).join('\n');
		},
	};
}

/** Writes an agent's reports into messages of its session, as they come. */
export type TurnWriter = ReturnType<typeof createTurnWriter>;

/** `parentId` is the message that the turn answers. */
export function createTurnWriter(
	context: Pick<BackgroundContext, 'storage' | 'save'>,
	{sessionId, parentId}: {readonly sessionId: string; readonly parentId: string},
) {
	const messages = createGrowingMessages(context, {sessionId, parentId});
	/** The item of each tool call and request of the turn, and its message. */
	const calls = new Map<string, {readonly draft: Draft; readonly item: StoredItem & {type: 'tool_use'}}>();
	const requests = new Map<
		string,
		{readonly draft: Draft; readonly item: TextItem; readonly request: NewRequest}
	>();
	let current: Draft | undefined;
	let plan: {readonly draft: Draft; readonly item: TextItem} | undefined;
	let isNewParagraph = false;
	let hasOutput = false;
	let size = 0;
	/** Where the turn says what is left out, and how much that is. */
	let cut: {readonly draft: Draft; readonly item: TextItem} | undefined;
	let left = 0;

	/** Whether this much more may be saved; if not, counts it in a note. */
	const reserve = (length: number, isText = false) => {
		const isFull = isText ? size + length > maxTurnSize + maxLastWords : cut || size + length > maxTurnSize;
		if (!isFull) {
			size += length;
			return true;
		}
		left += length;
		cut ??= add('assistant', {type: 'text', id: randomUUID(), text: ''}, itemSize);
		cut.item.text = `[${thousands(left)} characters left out]`;
		messages.touch(cut.draft);
		return false;
	};
	const draftFor = (role: Draft['role'], length: number): Draft => {
		const isFull = current && (current.size + length > maxMessageSize || current.content.length >= maxItems);
		if (!current || current.role !== role || isFull) current = newDraft(role);
		current.size += length;
		return current;
	};
	const add = <Item extends StoredItem>(role: Draft['role'], item: Item, length: number) => {
		const draft = draftFor(role, length);
		draft.content.push(item);
		hasOutput = true;
		messages.touch(draft);
		return {draft, item};
	};

	const appendText = (kind: 'text' | 'thought', text: string) => {
		if (text === '' || !reserve(text.length, kind === 'text')) return;
		const draft = draftFor('assistant', text.length);
		const last = draft.content.at(-1);
		if (kind === 'text' && last?.type === 'text' && last !== plan?.item && last !== cut?.item)
			last.text += isNewParagraph ? `\n\n${text}` : text;
		else if (kind === 'thought' && last?.type === 'thinking') last.thinking += text;
		else
			draft.content.push(
				kind === 'text'
					? {type: 'text', id: randomUUID(), text}
					: {type: 'thinking', id: randomUUID(), thinking: text},
			);
		if (kind === 'text') isNewParagraph = false;
		hasOutput = true;
		messages.touch(draft);
	};

	const writeCall = (id: string, name: string, input: ToolInput) => {
		const known = calls.get(id);
		const savedInput = boundedInput(input);
		const length = itemSize + JSON.stringify(savedInput).length;
		if (!reserve(length)) return;
		if (known) {
			Object.assign(known.item, {name, input: savedInput});
			known.draft.size += length;
			return messages.touch(known.draft);
		}
		calls.set(id, add('assistant', {type: 'tool_use', id, name, input: savedInput}, length));
	};

	return {
		write(event: AgentEvent) {
			switch (event.kind) {
				case 'text':
				case 'thought':
					// One chunk may exceed a message.
					for (let rest = event.text; rest !== ''; rest = rest.slice(maxMessageSize))
						appendText(event.kind, rest.slice(0, maxMessageSize));
					return;
				case 'paragraph':
					isNewParagraph = true;
					return;
				case 'tool-call':
					return writeCall(event.id, event.name, event.input);
				case 'tool-result': {
					const text = cutText(event.text);
					const isKnown = calls.has(event.id) || cut !== undefined;
					if (!isKnown || !reserve(itemSize + text.length)) return;
					const item: StoredItem = {
						type: 'tool_result',
						id: randomUUID(),
						tool_use_id: event.id,
						content: text,
						is_error: event.isError,
					};
					add('tool', item, itemSize + text.length);
					return;
				}
				case 'plan': {
					const text = cutText(event.text);
					if (!reserve(text.length)) return;
					if (plan) {
						plan.item.text = text;
						return messages.touch(plan.draft);
					}
					plan = add('assistant', {type: 'text', id: randomUUID(), text}, text.length);
				}
			}
		},
		openRequest(request: NewRequest): void {
			const {id} = request;
			const text = requestCard(request, 'open');
			// In its own message, so that it stays the newest until it is answered.
			current = undefined;
			const shown: ShownRequest = {id, kind: request.kind, title: requestTitle(request), state: 'open'};
			const item: TextItem = {type: 'text', id: randomUUID(), text, request: shown};
			requests.set(id, {...add('assistant', item, text.length), request});
			current = undefined;
			messages.tryWrite();
		},
		/** Shows what became of a request; `details` are what its answer changed, and the user's words. */
		closeRequest(id: string, state: Exclude<RequestState, 'open'>, details: readonly string[] = []): void {
			const open = requests.get(id);
			if (!open?.item.request) return;
			requests.delete(id);
			open.item.request.state = state;
			open.item.text = requestCard(open.request, state, details);
			messages.touch(open.draft);
			messages.tryWrite();
		},
		/** Saves all that is left, then the note, if any, as the last line. */
		async end(note: string | undefined, isError: boolean): Promise<void> {
			const last = current?.content.at(-1);
			const isRepeated = note !== undefined && last?.type === 'text' && last.text.trim() === note.trim();
			const words = note ?? (hasOutput ? undefined : '[no output]');
			if (words !== undefined && !isRepeated) {
				if (isError) current = undefined;
				const draft = draftFor('assistant', words.length);
				draft.content.push({type: 'text', id: randomUUID(), text: words});
				messages.touch(draft);
			}
			await messages.end(isError ? current : undefined);
		},
	};
}

function boundedInput(input: ToolInput): ToolInput {
	const text = JSON.stringify(input);
	if (text.length <= maxInputSize) return input;
	const entries = Object.entries(input).slice(0, 20);
	const room = Math.floor(maxInputSize / (entries.length + 1));
	const cut = (value: unknown) => {
		const whole = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
		return whole.length <= room ? value : whole.slice(0, room) + cutMark;
	};
	return Object.fromEntries(entries.map(([name, value]) => [name.slice(0, 200), cut(value)]));
}

const outcomes: Readonly<Record<Exclude<RequestState, 'open'>, string>> = {
	allowed: 'Allowed once.',
	always: 'Allowed:',
	denied: 'Denied.',
	answered: 'Answered.',
	gone: 'Not answered: the agent no longer waits for it.',
};

/** A request as a message: markdown with its whole text, and its outcome. */
function requestCard(
	{kind, tool, text, warnings = [], isPlan}: NewRequest,
	state: RequestState,
	details: readonly string[] = [],
): string {
	const permission = isPlan ? "**The agent's plan**" : `**Permission for ${tool || 'a tool'}**`;
	const title = kind === 'question' ? '**The agent asks**' : permission;
	const body = kind === 'question' || isPlan ? text : fenced(text);
	const question = kind === 'question' ? 'Your answer?' : 'Allow it?';
	const outcome =
		state === 'open' ? question : [outcomes[state], details.filter(Boolean).join('; ')].join(' ').trim();
	return [title, ...warnings.map(warning => fenced(warning)), body, outcome].join('\n\n');
}

/** A request in one line: its tool, and the command, file, first line of the plan, or first question. */
function requestTitle({kind, tool, text, isPlan}: NewRequest): string {
	const lines = text.split('\n');
	const what = /^--- /.test(text)
		? lines[1]?.replace(/^\+\+\+ /, '')
		: lines.find(line => line.trim() !== '');
	const words = isPlan ? what?.replace(/^#+ +/, '') : what;
	return [kind === 'question' ? '' : isPlan ? 'plan' : tool, words ?? '']
		.filter(Boolean)
		.join(': ')
		.slice(0, 400);
}

/** The text in a fence that nothing inside can close. */
function fenced(text: string): string {
	const longestFence = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
	const fence = '`'.repeat(longestFence + 1);
	const language = /^--- .*\n\+\+\+ /.test(text) ? 'diff' : '';
	return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** A card whose request can no longer be answered, from its stored text. */
export function closedCard(card: string): string {
	return card.replace(/(Allow it\?|Your answer\?)$/, outcomes.gone);
}
