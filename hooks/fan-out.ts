import {deadlines} from './deadlines.ts';
import {sendLine} from './pipe.ts';
import type {FoundSocket} from './sockets.ts';

/** Maximum number of programs that get one event. */
export const maxReceivers = 8;
const maxAnswer = 1024;

/**
 * The result of a fan-out: whether a program saved the event, and the sockets that refused the connection.
 */
export type FanOut = {readonly isSaved: boolean; readonly refused: readonly FoundSocket[]};

/**
 * Sends one line to all programs concurrently. Calls `onEnd` once: when one program has acknowledged the
 * event and the line is written to the others, or when all have answered, failed or timed out.
 */
export function fanOut(
	sockets: readonly FoundSocket[],
	{line, id}: {line: string; id: string},
	onEnd: (result: FanOut) => void,
): void {
	const refused: FoundSocket[] = [];
	let isSaved = false;
	let unsent = sockets.length;
	let unanswered = sockets.length;
	let isOver = false;
	const check = () => {
		if (isOver || !((isSaved && unsent === 0) || unanswered === 0)) return;
		isOver = true;
		onEnd({isSaved, refused});
	};
	for (const socket of sockets) {
		let isSent = false;
		let isDone = false;
		let answer = '';
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
			close();
			check();
		};
		// On a busy machine this process may itself have been delayed: read data that has already arrived
		// before giving up.
		const waitFor = (ms: number) => setTimeout(() => setImmediate(done), ms);
		let timer = waitFor(deadlines.connect);
		const close = sendLine(socket.address, line, {
			onConnect() {
				clearTimeout(timer);
				timer = waitFor(deadlines.answer);
			},
			onSent() {
				sent();
				check();
			},
			onBytes(bytes) {
				answer += bytes.toString('latin1');
				if (!answer.includes('\n') && answer.length < maxAnswer) return;
				if (isAcknowledgement(answer, id)) isSaved = true;
				done();
			},
			onClose(code) {
				if (code === 'ECONNREFUSED') refused.push(socket);
				done();
			},
		});
	}
	check();
}

function isAcknowledgement(answer: string, id: string): boolean {
	try {
		const value: unknown = JSON.parse(answer);
		return typeof value === 'object' && value !== null && 'ok' in value && value.ok === id;
	} catch {
		return false;
	}
}
