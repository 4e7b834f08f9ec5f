import {StringDecoder} from 'node:string_decoder';
import {setTimeout as delay} from 'node:timers/promises';
import {stripVTControlCharacters} from 'node:util';
import {isTooDeep, maxJsonDepth} from '../../domain/parse-json.ts';
import {createOutputTail} from '../processes/output-tail.ts';
import {type Command, type Ended, endNote, type ProcessGroups} from '../processes/process-group.ts';
import {AgentOpenError} from './agent-session.ts';

/** Longest line, UTF-16 units: room for the result of a tool that read an image. */
const maxLineLength = 32 * 1024 * 1024;
/** Maximum output between two calls of `resetOutputLimit`, bytes. */
const maxFloodSize = 256 * 1024 * 1024;
/** Lines in a row that are no JSON: some clients print warnings before they speak the protocol. */
const maxUnreadableLines = 200;

/** A client that speaks newline-delimited JSON over its standard input and output. */
export type JsonLines = {
	send(message: unknown): void;
	/** Restarts the count of output, at the beginning of a turn. */
	resetOutputLimit(): void;
	close(): Promise<void>;
	/** Resolves when the client has ended: how, with the end of its stderr, raw. */
	readonly ended: Promise<string>;
	readonly isEnded: boolean;
};

type Start = Pick<Command, 'file' | 'args' | 'cwd'> & {
	readonly groups: ProcessGroups;
	readonly signal: AbortSignal;
	/** Gets each parsed line; whatever it throws is a bug. */
	readonly onMessage: (message: unknown) => void;
};

/**
 * Starts a client. A flood, a line without end, one that is nested too deep, or output that is not the protocol ends it.
 * `signal` ends it too.
 */
export function startJsonLines({groups, file, args, cwd, signal, onMessage}: Start): JsonLines {
	const decoder = new StringDecoder('utf8');
	const tail = createOutputTail();
	let size = 0;
	let unreadableLines = 0;
	/** The parts of a line whose end has not come yet. */
	let parts: string[] = [];
	let partsLength = 0;
	let fault: string | undefined;

	const end = (why: string) => {
		fault ??= why;
		parts = [];
		void program.stop();
	};
	const readLine = (line: string) => {
		if (line.trim() === '') return;
		let message: unknown;
		try {
			message = JSON.parse(line);
			unreadableLines = 0;
		} catch {
			if (++unreadableLines > maxUnreadableLines) end(`${file} does not speak the expected protocol`);
			return;
		}
		if (isTooDeep(message)) end(`${file} was ended: a message nested over ${maxJsonDepth} levels deep`);
		else onMessage(message);
	};
	const program = groups.open({file, args, cwd}, (chunk, source) => {
		if (fault !== undefined) return;
		size += chunk.length;
		if (size > maxFloodSize) return end(`${file} was ended: over 256 MiB of output in one turn`);
		if (source === 'stderr') return tail.add(chunk, source);
		for (const [index, part] of decoder.write(chunk).split('\n').entries()) {
			if (index > 0) {
				const line = parts.join('');
				parts = [];
				partsLength = 0;
				readLine(line);
			}
			if (fault !== undefined) return;
			parts.push(part);
			partsLength += part.length;
			if (partsLength > maxLineLength) return end(`${file} was ended: a message of over 32 MiB`);
		}
	});
	const onAbort = () => void program.stop();
	signal.addEventListener('abort', onAbort, {once: true});
	const ended = program.ended.then(how => {
		signal.removeEventListener('abort', onAbort);
		// End what it left running, too.
		void program.stop();
		return fault ?? endText(file, how, stripVTControlCharacters(tail.text()).trim());
	});
	return {
		send(message) {
			if (!program.hasExited) program.write(`${JSON.stringify(message)}\n`);
		},
		resetOutputLimit() {
			size = 0;
		},
		close: program.stop,
		ended,
		get isEnded() {
			return program.hasExited;
		},
	};
}

function endText(file: string, {code, signal, error}: Ended, errorOutput: string): string {
	if (error) return endNote(file, {error})?.slice(1, -1) ?? error.message;
	const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
	return `${file} ${how}${errorOutput && `: ${errorOutput}`}`;
}

/** Time for a client to start and accept the conversation, ms: some load for many seconds. */
const openLimit = 120_000;

/** Waits for `ready`, unless the client ends first or takes too long: then ends it and throws `AgentOpenError`. */
export async function whenOpen<T>(lines: JsonLines, name: string, ready: Promise<T>): Promise<T> {
	const fail = (why: string) => Promise.reject(new AgentOpenError(why));
	const tooLate = delay(openLimit, `${name} did not start within ${openLimit / 1000} seconds`, {ref: false});
	try {
		return await Promise.race([ready, lines.ended.then(fail), tooLate.then(fail)]);
	} catch (error) {
		void lines.close();
		throw error;
	}
}
