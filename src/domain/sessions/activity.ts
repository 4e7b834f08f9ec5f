import {type OutboxItem, waitingForTurn} from '../messages/delivery.ts';
import {type ContentItem, type Message, type MessageRole, sendingSession} from '../messages/message.ts';
import {asksUser} from './asks-user.ts';
import {afterStop} from './session.ts';

/** The state of a session's turn according to its newest messages. */
export type ActivityState =
	/** The agent is at work: our message is unanswered, a tool call is open, or its text is still growing. */
	| 'working'
	/** The agent has answered, and nothing is open. */
	| 'done'
	/** The same, and it ends in a question or offers choices. */
	| 'asks'
	| 'failed';

/** A session's activity, inferred from its messages when last read. Text is raw; times are Unix ms. */
export type SessionActivity = {
	readonly state: ActivityState;
	readonly evidence: 'user-message' | 'tool-call' | 'growing' | 'answer' | 'question' | 'request' | 'error';
	/** Set if the request is a question, not a permission. */
	readonly isQuestion?: boolean;
	/** When the newest message was written or last changed, by the service's clock; when it was found, if undated. */
	readonly at: number;
	readonly newestId: string;
	/** When the newest message was written, if it says so, by the service's clock. */
	readonly newestAt?: number;
	/** Id of the message that the state was inferred from, which identifies one time of asking. */
	readonly derivedFrom?: string;
	/** When a read last found the newest message new or changed; `at` on the first read, or if it was old by then. */
	readonly changedAt: number;
	/** When the user last wrote, by the service's clock. */
	readonly userAt?: number;
	/** Time of the user's message that the agent works on, by the service's clock, if later messages wait. */
	readonly turnAt?: number;
	/** The open tool call that was made last. */
	readonly tool?: string;
	/** First words of the newest text, or of its last line: of a program's output, or while it grows. */
	readonly words?: string;
	/** First words of the session's first user message, once that is known. */
	readonly title?: string;
	/** Without a title: whether its first words were looked for in vain. */
	readonly isUntitled?: boolean;
	/** Where the session ended when it was first read: up to there, only a question or an error can be unread. */
	readonly first?: Mark;
	/** The newest message that the user has read or written. */
	readonly seen?: Mark;
	/** The agent's newest message: as last read, and as the user last saw it. */
	readonly answer?: Answer;
	readonly seenAnswer?: Answer;
	/** Number of the agent's messages that the user hasn't read, or of which they haven't seen all. */
	readonly unread: number;
	/** Whether there may be more unread messages than were counted. */
	readonly isUnreadPartial?: boolean;
	/** How many messages were stored here after that read, and whether those are all. */
	readonly stored?: StoredCount;
};

export type StoredCount = {readonly count: number; readonly isWhole: boolean};

/** A message to count from; `at` is when it was written, by the service's clock, in case it isn't among the newest. */
type Mark = {readonly id: string; readonly at?: number};

/** A message, and the length and end of its text, which show whether it has grown. */
type Answer = {readonly id: string; readonly text: string};

/** A message with its role, as far as known. */
export type RoledMessage = {readonly message: Message; readonly role?: MessageRole};

/** How long the newest message must be unchanged before the turn counts as over, ms. */
export const quietTurn = 15_000;
/** After this long without a change, a working session is shown with the time since its last activity, ms. */
export const quietWork = 10 * 60_000;

const maxWords = 200;
/** UTF-16 code units kept of the end of an answer. */
const answerEnd = 40;
/** Messages looked at for open tool calls: an agent rarely has more calls open at once. */
const tailLength = 50;
/** A new message older than this, ms, is not taken for work in progress. Listings and clocks lag by less. */
const maxLag = 120_000;

export type ActivityInput = {
	/** The newest messages, oldest first. */
	readonly messages: readonly RoledMessage[];
	/** Whether they start at the session's first message. */
	readonly isWhole: boolean;
	readonly seenIds?: ReadonlySet<string>;
	/** Whether nothing was written in it before it was known here: it was created here, or was empty. */
	readonly isNew?: boolean;
	readonly outbox?: readonly OutboxItem[];
	/** Ids of the messages that this read found new or changed. */
	readonly changed: ReadonlySet<string>;
	/** When a hook or the service reported that the turn is over, unless a later report differs, Unix ms. */
	readonly turnEndedAt?: number | undefined;
	/** How long nothing may change until the turn counts as over, ms; `quietTurn` unless the service is asked. */
	readonly endsAfter?: number;
	/** Whether this program has not read the session before: what it finds may have been there for long. */
	readonly isFirstRead?: boolean;
	readonly before?: SessionActivity | undefined;
	readonly now: number;
	/** How far the service's clock is ahead of `now`, ms. */
	readonly skew?: number | undefined;
};

/** Infers a session's activity from its newest messages; undefined without messages. */
export function activityOf(input: ActivityInput): SessionActivity | undefined {
	const {messages, isWhole, before, now, skew = 0} = input;
	const newest = messages.at(-1);
	if (!newest) return undefined;
	const decidingIndex = messages.findLastIndex(isDeciding);
	const deciding = messages[decidingIndex];
	const isGrown = hasGrown(input, newest, decidingIndex);
	const at = timeOf(input, newest, isGrown);
	/** On this machine's clock. */
	const writtenHere = Math.min(at - skew, now);
	const isOld = isLongThere(input, newest, now - writtenHere);
	const foundAt = before && !isOld ? now : writtenHere;
	const changedAt = before && !isGrown ? before.changedAt : foundAt;
	const {turnEndedAt = Number.NEGATIVE_INFINITY} = input;
	const isOver = Math.min(changedAt, writtenHere) <= turnEndedAt + afterStop;
	const inTurn = withoutWaiting(input);
	const tool = openTool(inTurn);
	const request = openRequest(messages);
	const newestTurn = stateOf(deciding, tool, {
		isGrowing: !isOver && now - changedAt < (input.endsAfter ?? quietTurn),
		// Nothing but output of tools, as of an install: no agent goes on from there.
		hasAgent: !isWhole || !messages.every(isToolOutput),
	});
	const next = nextInTurn(messages, newestTurn.state !== 'working');
	const withoutRequest = next ? ({state: 'working', evidence: 'user-message'} as const) : newestTurn;
	const turn =
		request === undefined
			? withoutRequest
			: ({state: 'asks', evidence: 'request', isQuestion: request.isQuestion} as const);
	// A turn that another waits for is not over.
	const isGrowing =
		inTurn.length < messages.length
			? stateOf(inTurn.findLast(isDeciding), tool, {isGrowing: true, hasAgent: true}).evidence === 'growing'
			: turn.evidence === 'growing';
	const words = request?.title ?? lastWords(next ? [next] : inTurn, isGrowing);
	const title = before?.title ?? (isWhole ? firstUserWords(messages) : undefined);
	const userAt = messages.findLast(isFromUser)?.message.createdAt ?? before?.userAt;
	const waitedFor = inTurn.findLast(isFromUser)?.message.createdAt ?? before?.turnAt ?? before?.userAt;
	// What was accepted may not be listed yet.
	const isUnlisted = input.outbox?.some(item => item.isBehind && item.state === 'accepted') ?? false;
	const turnAt = inTurn.length < messages.length || isUnlisted ? waitedFor : undefined;
	const first = before ? before.first : firstMark(input, newest);
	// The user has read everything before their own message, but not before one that an agent sent.
	const isOwn = (entry: RoledMessage) => isFromUser(entry) && sendingSession(entry.message) === undefined;
	const seenIndex = Math.max(
		messages.findLastIndex(entry => input.seenIds?.has(entry.message.id) || isOwn(entry)),
		positionOf(messages, before?.seen),
	);
	const seen = markOf(messages[seenIndex]) ?? before?.seen;
	const readIndex = Math.max(seenIndex, positionOf(messages, first));
	const answers = messages
		.slice(readIndex + 1)
		.filter(entry => entry.role === 'assistant' && isVisible(entry)).length;
	const answer = newestAnswer(messages);
	const {seenAnswer} = before ?? {};
	const hasNewWords = answer !== undefined && answer.id === seenAnswer?.id && answer.text !== seenAnswer.text;
	// An unread question or error needs the user, however old it is.
	const isOpen = (turn.state === 'asks' || turn.state === 'failed') && seenIndex < decidingIndex;
	return {
		...turn,
		at,
		newestId: newest.message.id,
		newestAt: newest.message.createdAt,
		derivedFrom: deciding?.message.id,
		changedAt,
		userAt,
		turnAt,
		tool,
		words,
		title,
		isUntitled: title === undefined && !isWhole ? (before?.isUntitled ?? false) : undefined,
		first,
		seen,
		answer,
		seenAnswer,
		unread: Math.max(answers, isOpen || hasNewWords ? 1 : 0),
		isUnreadPartial: readIndex < 0 && !isWhole,
	};
}

/** Whether the newest message, written `age` ms ago, was there long before this read found it. */
function isLongThere({before, isFirstRead}: ActivityInput, {message}: RoledMessage, age: number): boolean {
	if (isFirstRead && writtenAt(message) !== undefined) return age > quietTurn;
	return message.id !== before?.newestId && age > maxLag;
}

/** Leaves out messages that wait until the agent has finished its current work. */
function withoutWaiting({messages, outbox = []}: ActivityInput): readonly RoledMessage[] {
	const ids = new Set(waitingForTurn(outbox, messages).map(({messageId}) => messageId));
	return ids.size > 0 ? messages.filter(({message}) => !ids.has(message.id)) : messages;
}

/**
 * The user's message that the agent works on, if the service reports turns (`isWaiting`) and nothing answers it yet: a
 * message that waited stands before the end of the turn that it waited for. Once that turn `isOver`, the first that waits.
 */
function nextInTurn(messages: readonly RoledMessage[], isOver: boolean): RoledMessage | undefined {
	const begun = messages.findLast(entry => isFromUser(entry) && entry.message.isWaiting === false);
	const first = isOver ? messages.find(entry => isFromUser(entry) && entry.message.isWaiting) : undefined;
	const isOpen = (entry?: RoledMessage) =>
		entry && !messages.some(({message}) => message.parentId === entry.message.id);
	return [begun, first].find(isOpen);
}

/**
 * Whether the newest message is new or has changed, or the agent's before messages of the user that wait behind it.
 * Changes to older messages aren't work.
 */
function hasGrown(
	{messages, changed, before}: ActivityInput,
	newest: RoledMessage,
	decidingIndex: number,
): boolean {
	if (!before) return false;
	const answerIndex = messages.findLastIndex(
		(entry, index) => index <= decidingIndex && isDeciding(entry) && !isFromUser(entry),
	);
	const start = answerIndex < 0 ? Math.max(0, decidingIndex) : answerIndex;
	if (messages.slice(start).some(({message}) => changed.has(message.id))) return true;
	if (newest.message.id === before.newestId) return false;
	// Another program may have read it first, or the former newest message is no longer listed.
	const isStillThere = messages.some(({message}) => message.id === before.newestId);
	return isStillThere || (writtenAt(newest.message) ?? Number.NEGATIVE_INFINITY) > before.at;
}

/** When the newest message was written. One without a time was written about when it was found. */
function timeOf(
	{messages, before, now, skew = 0}: ActivityInput,
	newest: RoledMessage,
	isGrown: boolean,
): number {
	const dated = messages.findLast(({message}) => writtenAt(message) !== undefined);
	const known = isGrown ? now + skew : before?.at;
	return writtenAt(newest.message) ?? known ?? (dated && writtenAt(dated.message)) ?? now;
}

/** The agent's newest message, unless the user has written since. */
function newestAnswer(messages: readonly RoledMessage[]): Answer | undefined {
	const newest = messages.findLast(
		entry => isFromUser(entry) || (entry.role === 'assistant' && isVisible(entry)),
	);
	if (!newest || isFromUser(newest)) return undefined;
	return {id: newest.message.id, text: answerText(newest.message)};
}

/** The length and end of an answer's text, as `Answer` has it. */
export function answerText(message: Message): string {
	const text = textOf(message);
	return `${text.length} ${text.slice(-answerEnd)}`;
}

/** Messages present when a session is first read count as read, unless they answer a message posted here. */
function firstMark(
	{messages, isNew, outbox = [], seenIds}: ActivityInput,
	newest: RoledMessage,
): Mark | undefined {
	const isOurs = (id: string) => outbox.some(({messageId}) => messageId === id);
	const known = messages.findLast(({message: {id}}) => isOurs(id) || seenIds?.has(id));
	return isNew ? undefined : markOf(known ?? newest);
}

function markOf(entry: RoledMessage | undefined): Mark | undefined {
	if (!entry) return undefined;
	const {id, createdAt} = entry.message;
	return {id, at: createdAt};
}

/** Index of a marked message, or of the last one before it if it is gone. */
function positionOf(messages: readonly RoledMessage[], mark: Mark | undefined): number {
	if (!mark) return -1;
	const index = messages.findLastIndex(({message}) => message.id === mark.id);
	const {at = Number.NEGATIVE_INFINITY} = mark;
	return index >= 0 ? index : messages.findLastIndex(({message}) => (message.createdAt ?? Infinity) < at);
}

function stateOf(
	newest: RoledMessage | undefined,
	tool: string | undefined,
	{isGrowing, hasAgent}: {readonly isGrowing: boolean; readonly hasAgent: boolean},
): Pick<SessionActivity, 'state' | 'evidence'> {
	const isResult = newest !== undefined && isToolOutput(newest);
	if (newest?.message.isError && !isResult) return {state: 'failed', evidence: 'error'};
	if (newest && isFromUser(newest)) return {state: 'working', evidence: 'user-message'};
	if (tool !== undefined || (isResult && hasAgent)) return {state: 'working', evidence: 'tool-call'};
	if (isGrowing) return {state: 'working', evidence: 'growing'};
	// Until its author is known, a question may be the user's own.
	const isQuestion = newest?.role === 'assistant' && asksUser(textOf(newest.message));
	return isQuestion ? {state: 'asks', evidence: 'question'} : {state: 'done', evidence: 'answer'};
}

/** The agent's open request, in one line; undefined if there is none. */
function openRequest(messages: readonly RoledMessage[]): {title: string; isQuestion: boolean} | undefined {
	for (const {request} of messages.slice(-tailLength).flatMap(({message}) => message.content ?? [])) {
		const isOpen = typeof request === 'object' && request !== null && 'state' in request;
		if (!isOpen || request.state !== 'open') continue;
		const title = 'title' in request && typeof request.title === 'string' ? firstWords(request.title) : '';
		return {title, isQuestion: 'kind' in request && request.kind === 'question'};
	}
	return undefined;
}

/** Invisible messages say nothing about the turn, unless they are output of tools. */
function isDeciding(entry: RoledMessage): boolean {
	return isVisible(entry) || isToolOutput(entry);
}

function isVisible({message}: RoledMessage): boolean {
	return message.isUserVisible !== false;
}

/** Clients add invisible messages in the user's name, and some services return tool results in it. */
function isFromUser(message: RoledMessage): boolean {
	return message.role === 'user' && isVisible(message) && !isToolOutput(message);
}

/** Whether a message ends in the result of a tool, perhaps an error: the agent goes on from there. */
function isToolOutput({message, role}: RoledMessage): boolean {
	const last = message.content?.at(-1);
	return role === 'tool' || (last !== undefined && isToolResult(last));
}

/** When a message was written or last changed, Unix ms. */
function writtenAt({createdAt, updatedAt}: Message): number | undefined {
	return createdAt === undefined ? updatedAt : Math.max(createdAt, updatedAt ?? 0);
}

/** Name of the newest tool call without a result. The next words of agent or user close the calls before them. */
function openTool(messages: readonly RoledMessage[]): string | undefined {
	let open: ContentItem[] = [];
	for (const entry of messages.slice(-tailLength)) {
		const content = entry.message.content ?? [];
		const isResult = isToolOutput(entry);
		// A request is about a call, and so doesn't close it.
		const isRequest = content.some(({request}) => request !== undefined);
		const hasWords = isVisible(entry) && !isResult && !isRequest && textOf(entry.message).trim() !== '';
		if (isFromUser(entry) || hasWords) open = [];
		for (const item of content) {
			if (isToolCall(item)) open.push(item);
			else if (isToolResult(item)) open = withoutAnswered(open, item);
		}
		if (isResult && !content.some(isToolResult)) open = withoutAnswered(open, {});
	}
	const call = open.at(-1);
	return call && (typeof call.name === 'string' && call.name !== '' ? call.name : 'tool');
}

/** The open calls after a result. Without ids, results come in the order of the calls. */
function withoutAnswered(open: readonly ContentItem[], result: ContentItem): ContentItem[] {
	const id = result.tool_use_id ?? result.toolUseId ?? result.tool_call_id ?? result.call_id;
	const answered = open.find(call => {
		const callId = call.call_id ?? call.id;
		return id === undefined || callId === undefined || callId === id;
	});
	return open.filter(call => call !== answered);
}

const callTypes: readonly unknown[] = ['tool_use', 'tool_call', 'function_call'];
const resultTypes: readonly unknown[] = ['tool_result', 'function_call_output'];

function isToolCall(item: ContentItem): boolean {
	if (item.type !== undefined) return callTypes.includes(item.type);
	return typeof item.name === 'string' && ('input' in item || 'arguments' in item) && item.text === undefined;
}

function isToolResult(item: ContentItem): boolean {
	if (item.type !== undefined) return resultTypes.includes(item.type);
	return 'tool_use_id' in item || 'toolUseId' in item || 'tool_call_id' in item;
}

const textTypes: readonly unknown[] = [undefined, 'text', 'input_text', 'output_text'];

/** A message's text, without thinking and tool results. */
export function textOf({content = []}: Message): string {
	return content
		.filter(item => textTypes.includes(item.type) && !isToolResult(item))
		.flatMap(({text}) => (typeof text === 'string' ? [text] : []))
		.join('\n\n');
}

/** First words of the newest text; of its last line if it is a program's output, or the agent's and grows. */
function lastWords(messages: readonly RoledMessage[], isGrowing: boolean): string | undefined {
	for (const entry of messages.slice(-tailLength).reverse()) {
		if (!isVisible(entry) || entry.role === 'tool') continue;
		const {isOutput} = entry.message;
		const text = textOf(entry.message);
		const isLastLine = isOutput || (isGrowing && entry.role === 'assistant');
		const line = isLastLine ? lastLine(isOutput ? withoutExit(text) : text) : firstLine(text);
		const words = shortened(isOutput ? withoutColors(line) : withoutMarkdown(line));
		if (words !== '') return words;
	}
	return undefined;
}

export function firstUserWords(messages: readonly RoledMessage[]): string | undefined {
	for (const entry of messages) {
		const words = isFromUser(entry) ? firstWords(textOf(entry.message)) : '';
		if (words !== '') return words;
	}
	return undefined;
}

const firstLine = (text: string) => text.split('\n').find(hasWords) ?? '';
const lastLine = (text: string) => text.split('\n').findLast(hasWords) ?? '';

/** Whether a line has a letter or digit and isn't a code fence. */
function hasWords(line: string): boolean {
	return /^(?!\s*(?:```|~~~)).*[\p{L}\p{N}]/u.test(line);
}

/** The first line of a text that has words, shortened: it can name a session. */
export const firstWords = (text: string) => shortened(firstLine(text));

function shortened(line: string): string {
	return [...line.trim().slice(0, 2 * maxWords)].slice(0, maxWords).join('');
}

/** Removes the note of a failed command's exit code, unless there is nothing else: the state tells of the failure. */
function withoutExit(output: string): string {
	return output.replace(/(?<=\S)\s*\n\[exit \d{1,3}\]\s*$/, '');
}

/** Removes the sequences with which a program colors its output. */
function withoutColors(line: string): string {
	return line.replaceAll(/\u001b\[[\d;]{0,60}[mK]/g, '');
}

/** Removes markdown from a line: the marks of headings, quotes, lists, bold words and inline code. */
function withoutMarkdown(line: string): string {
	return line
		.replace(/^\s*(?:#{1,6}|>|[-*+])\s+/, '')
		.replaceAll(/(^|[\s(])\*\*(?=[\p{L}\p{N}`"'])([^*]+)\*\*/gu, '$1$2')
		.replaceAll(/`([^`]+)`/g, '$1');
}
