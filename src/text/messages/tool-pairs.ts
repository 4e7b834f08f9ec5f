import type {ContentItem, Message} from '../../domain/messages/message.ts';
import {contentKind, isRecord, partOf, partsShown} from './message-parts.ts';
import {planSteps} from './plan-steps.ts';
import {type CallKind, callKind} from './tool-kinds.ts';

/** A result as an item of a message's content. */
export type ResultPlace = {readonly message: Message; readonly index: number};

/** A message with its tool calls and results matched. Indexes are those of its content. */
export type PairedMessage = {
	readonly message: Message;
	/** Results of its calls, here or in later messages, by the call's index. */
	readonly results: ReadonlyMap<number, ResultPlace>;
	/** Its own results that are drawn with their calls. */
	readonly pairedResults: ReadonlySet<number>;
	/** Of its calls that make a plan: the indexes of the steps that the plan before it didn't have. */
	readonly newSteps: ReadonlyMap<number, ReadonlySet<number>>;
};

type Draft = PairedMessage & {
	readonly results: Map<number, ResultPlace>;
	readonly pairedResults: Set<number>;
	readonly newSteps: Map<number, ReadonlySet<number>>;
};
/** Calls that never got a result don't pile up beyond this. */
const maxOpen = 200;

/** Most messages have no tools: they share these. */
const noTools: Omit<PairedMessage, 'message'> = {
	results: new Map(),
	pairedResults: new Set(),
	newSteps: new Map(),
};
const noMessages: ReadonlySet<PairedMessage> = new Set();

/** Matches results with calls over messages added in order: by id, or in the order of the calls without ids. */
export function createToolPairing() {
	let open: {readonly draft: Draft; readonly index: number; readonly id: unknown}[] = [];
	let planned: ReadonlySet<string> = new Set();
	return {
		/** Returns the message, and the earlier ones whose calls it answers: their `results` have changed. */
		add(message: Message): {readonly paired: PairedMessage; readonly answered: ReadonlySet<PairedMessage>} {
			const {tools, hasWords} = toolsOf(message);
			// Only an id proves that a result after other words belongs to a call before them.
			if (hasWords && open.length > 0) open = open.filter(call => call.id !== undefined);
			if (tools.length === 0) return {paired: {message, ...noTools}, answered: noMessages};
			const draft: Draft = {message, results: new Map(), pairedResults: new Set(), newSteps: new Map()};
			const answered = new Set<PairedMessage>();
			for (const {index, isCall, id, plan} of tools) {
				if (plan) {
					const added = [...plan.keys()].filter(step => !planned.has(plan[step] ?? ''));
					draft.newSteps.set(index, new Set(added));
					planned = new Set(plan);
				}
				if (isCall) {
					open.push({draft, index, id});
					if (open.length > maxOpen) open.shift();
					continue;
				}
				const at = open.findIndex(one => id === undefined || one.id === undefined || one.id === id);
				const [call] = at < 0 ? [] : open.splice(at, 1);
				if (!call) continue;
				call.draft.results.set(call.index, {message, index});
				draft.pairedResults.add(index);
				if (call.draft !== draft) answered.add(call.draft);
			}
			return {paired: draft, answered};
		},
		/** A gap: later results can only be matched by id. */
		skip() {
			open = open.filter(call => call.id !== undefined);
		},
	};
}

type ToolItem = {
	readonly index: number;
	readonly isCall: boolean;
	readonly id: unknown;
	readonly kind?: CallKind;
	/** The steps of a plan that it makes. */
	readonly plan?: readonly string[];
};
type Tools = {readonly tools: readonly ToolItem[]; readonly hasWords: boolean; readonly others: number};

/** Every change of the stream pairs all loaded messages again; most of them are as before. */
const cached = new WeakMap<Message, Tools>();

function toolsOf(message: Message): Tools {
	const known = cached.get(message);
	if (known) return known;
	const tools: ToolItem[] = [];
	let hasWords = false;
	let others = (message.content?.length ?? 0) > partsShown ? 1 : 0;
	for (const [index, item] of (message.content?.slice(0, partsShown) ?? []).entries()) {
		const kind = contentKind(item);
		if (kind === 'tool-use')
			tools.push({
				...{index, isCall: true, id: item.call_id ?? item.id},
				kind: callKind(typeof item.name === 'string' ? item.name : ''),
				plan: planOf(item),
			});
		else if (kind === 'tool-result') tools.push({index, isCall: false, id: callIdOf(item)});
		else {
			others++;
			if (kind === 'text') hasWords = true;
		}
	}
	const found = {tools, hasWords, others};
	cached.set(message, found);
	return found;
}

function planOf(item: ContentItem): readonly string[] | undefined {
	if (typeof item.name !== 'string' || !/todo|plan/i.test(item.name)) return undefined;
	const part = partOf(item);
	const input = part.kind === 'tool-use' && isRecord(part.input) ? part.input : {};
	return planSteps(input.todos ?? input.plan)?.map(({text}) => text);
}

function callIdOf(item: ContentItem): unknown {
	return item.tool_use_id ?? item.toolUseId ?? item.tool_call_id ?? item.call_id;
}

export function hasTools({message}: PairedMessage): boolean {
	return toolsOf(message).tools.length > 0;
}

/** Whether the message is nothing but results that are drawn with calls of earlier messages. */
export function isDrawnElsewhere({message, pairedResults}: PairedMessage): boolean {
	const {tools, others} = toolsOf(message);
	return (
		others === 0 &&
		tools.length > 0 &&
		!hasReasoning(message) &&
		tools.every(({index}) => pairedResults.has(index))
	);
}

/** Whether the message is nothing but calls that many of which are drawn as one row. */
export function isSmallCalls({message, pairedResults}: PairedMessage): boolean {
	const {tools, others} = toolsOf(message);
	const isSmall = ({index, isCall, kind}: ToolItem) =>
		isCall ? kind !== undefined : pairedResults.has(index);
	return (
		others === 0 && tools.length > 0 && !message.isError && !hasReasoning(message) && tools.every(isSmall)
	);
}

function hasReasoning({provider1ReasoningSummary, chatCompletionReasoningContent}: Message): boolean {
	return Boolean(provider1ReasoningSummary || chatCompletionReasoningContent);
}
