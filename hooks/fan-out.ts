import {parseObject} from './json.ts';
import {type FoundSocket, removeIfDead} from './sockets.ts';

export const maxReceivers = 8;
const maxAnswer = 1024;

/**
 * Sends one line to all programs concurrently. Calls `onEnd` once: when one program has acknowledged the
 * event and the line is written to the others, or when all have answered, failed or timed out. Then removes
 * the sockets that dead programs left.
 */
export function fanOut(
	sockets: readonly FoundSocket[],
	{line, id}: {line: string; id: string},
	onEnd: (isSaved: boolean) => void,
	// Loaded on first use: a hook that finds no program doesn't need it.
	{connect} = require('node:net') as Pick<typeof import('node:net'), 'connect'>,
): void {
	const refused: FoundSocket[] = [];
	let isSaved = false;
	let unsent = sockets.length;
	let unanswered = sockets.length;
	let isOver = false;
	const check = () => {
		if (isOver || !((isSaved && unsent === 0) || unanswered === 0)) return;
		isOver = true;
		for (const socket of refused) removeIfDead(socket);
		onEnd(isSaved);
	};
	for (const socket of sockets) {
		let isSent = false;
		let isDone = false;
		let answer = '';
		let code: string | undefined;
		const sent = () => {
			if (!isSent) unsent--;
			isSent = true;
		};
		const done = () => {
			if (isDone) return;
			isDone = true;
			clearTimeout(timer);
			sent();
			unanswered--;
			connection.removeAllListeners();
			connection.on('error', () => {});
			connection.destroy();
			check();
		};
		// On a busy machine this process may itself have been delayed: read data that has already arrived
		// before giving up.
		const waitFor = (ms: number) => setTimeout(() => setImmediate(done), ms);
		let timer = waitFor(deadlines.connect);
		const connection = connect(socket.file);
		connection.on('connect', () => {
			clearTimeout(timer);
			timer = waitFor(deadlines.answer);
		});
		connection.on('data', bytes => {
			answer += bytes.toString('latin1');
			if (!answer.includes('\n') && answer.length < maxAnswer) return;
			if (parseObject(answer)?.ok === id) isSaved = true;
			done();
		});
		connection.on('error', (error: NodeJS.ErrnoException) => {
			code = error.code;
		});
		connection.on('close', () => {
			if (code === 'ECONNREFUSED') refused.push(socket);
			done();
		});
		connection.write(line, error => {
			if (error) return;
			sent();
			check();
		});
	}
	check();
}

/** The hook's deadlines, ms. In some clients all hooks of a SessionEnd share 1.5 s. */
export const deadlines = {
	/** The whole run, from its first line; `sessionEnd` applies to SessionEnd events. */
	run: 1000,
	sessionEnd: 600,
	/** To connect to one program, and to get its answer. */
	connect: 200,
	answer: 150,
};
