import {randomUUID} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import type {RequestAnswer} from '../domain/sessions/agent-request.ts';
import type {AgentSession, OpenOptions, TurnEnd} from '../local/agents/agent-session.ts';
import type {ClientAgent} from '../local/agents/agents.ts';
import type {Beat} from './beat.ts';

export const models: Readonly<Record<string, string>> = {
	claude: 'claude-sonnet-4-5',
	codex: 'gpt-5-codex',
	gemini: 'gemini-2.5-pro',
};

/** Time between two words, ms. */
const wordTime = 45;

/** An agent that runs nothing: `beatsOf` says what it does with a message. */
export function sampleAgent(
	name: string,
	beatsOf: (sessionId: string, asked: string) => readonly Beat[],
): ClientAgent {
	return {
		name,
		tool: name,
		usesModel: true,
		open: async options => openSampleSession(options, asked => beatsOf(options.sessionId, asked), name),
	};
}

function openSampleSession(
	{onEvent, signal}: OpenOptions,
	beatsOf: (asked: string) => readonly Beat[],
	agent: string,
): AgentSession {
	const waiting = new Map<string, (answer: RequestAnswer) => void>();
	let interrupted = new AbortController();
	let isEnded = false;

	const pause = (ms: number) => delay(ms, undefined, {signal: AbortSignal.any([signal, interrupted.signal])});

	const write = async (text: string, isHurried: boolean) => {
		onEvent({kind: 'paragraph'});
		for (const word of isHurried ? [text] : (text.match(/\s*\S+/g) ?? [])) {
			onEvent({kind: 'text', text: word});
			if (!isHurried) await pause(wordTime);
		}
	};

	const play = async (beats: readonly Beat[]): Promise<TurnEnd> => {
		for (const [index, beat] of beats.entries()) {
			// The user is to find the question, not to wait for it.
			const isHurried = beats.slice(index).some(later => typeof later === 'object' && 'ask' in later);
			if (typeof beat === 'string') await write(beat, isHurried);
			else if ('failure' in beat) return {how: 'failed', message: beat.failure};
			else if ('thought' in beat) onEvent({kind: 'thought', text: beat.thought});
			else if ('ask' in beat) {
				const id = randomUUID();
				const answered = Promise.withResolvers<RequestAnswer>();
				waiting.set(id, answered.resolve);
				for (const ending of [signal, interrupted.signal])
					ending.addEventListener('abort', () => answered.reject(ending.reason), {once: true});
				onEvent({kind: 'request', request: {...beat.ask, id}});
				const {option} = await answered.promise;
				return play(option === 'no' ? beat.denied : beat.allowed);
			} else {
				const {tool: name, input, result: text, seconds, isError = false} = beat;
				const id = randomUUID();
				onEvent({kind: 'tool-call', id, name, input});
				if (!isHurried) await pause(seconds * 1000);
				onEvent({kind: 'tool-result', id, text, isError});
			}
		}
		return {how: 'done'};
	};

	return {
		async prompt(blocks) {
			interrupted = new AbortController();
			const asked = blocks.map(block => (block.kind === 'text' ? block.text : '')).join('\n');
			const model = models[agent] ?? agent;
			const cacheReadTokens = 18_000 + asked.length * 140;
			const [inputTokens, outputTokens] = [900 + asked.length * 11, 400 + asked.length * 9];
			const cost = inputTokens * 3e-6 + outputTokens * 15e-6 + cacheReadTokens * 3e-7;
			onEvent({
				kind: 'usage',
				usage: {model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 2400, cost},
			});
			return play(beatsOf(asked)).catch((): TurnEnd => ({how: 'interrupted'}));
		},
		interrupt: () => interrupted.abort(),
		answer(requestId, answer) {
			const resolve = waiting.get(requestId);
			waiting.delete(requestId);
			resolve?.(answer);
			return resolve !== undefined;
		},
		process: {
			get isEnded() {
				return isEnded;
			},
			async close() {
				isEnded = true;
				interrupted.abort();
			},
		},
	};
}
