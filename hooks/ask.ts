import {writeSync} from 'node:fs';
import {connect, type Socket} from 'node:net';
import {
	type Ask,
	type AskAnswer,
	askDigest,
	decodeAnswer,
	maxAnswerLine,
	signingKey,
	signTaken,
} from './ask-wire.ts';
import {maxReceivers} from './fan-out.ts';
import {parentPid} from './hook-process.ts';
import {socketProblem} from './private-socket.ts';
import {currentEnvironment, runtimeFolders} from './runtime-folder.ts';
import {findSockets, isAlive, removeIfDead} from './sockets.ts';

/** Longest time the program that gave the answer has to hear that it counts, ms. */
const takenTime = 200;
/** Longest time a client may take to read the decision, ms. */
const printTime = 1000;
/** How often to check that the client still runs, ms. */
const watchInterval = 1000;
/** The parent of a launcher whose shell ended before it started. */
const init = 1;
/** Longest text for the agent, UTF-16 units. */
const maxWords = 16 * 1024;
/** Says no more than what the user did. */
const denied = 'The user denied this.';

/** Ends the hook without output: the client's own prompt stays. */
export function endSilently(): void {
	process.exit(0);
}

/**
 * Asks every running program of this user and waits. The first answer counts and is printed for the client. Ends in
 * silence when no program is left that could answer, and when the client is gone.
 */
export function ask(request: Ask): void {
	const environment = currentEnvironment();
	const line = `${JSON.stringify(request)}\n`;
	const digest = askDigest(line);
	const sockets = findSockets(runtimeFolders(environment), environment, 'ask')
		.filter(({file}) => socketProblem(file, environment) === undefined)
		.slice(0, maxReceivers);
	let open = sockets.length;
	let isAnswered = false;
	if (open === 0) endSilently();
	const [launcher, shell] = [process.ppid, parentPid()];
	setInterval(() => {
		if (process.ppid !== launcher || shell === init || !isAlive(shell) || !isAlive(request.agentPid))
			endSilently();
	}, watchInterval);

	const onAnswer = (connection: Socket, text: string) => {
		const answer = decodeAnswer(text);
		const isOurs = !isAnswered && answer?.answer === digest && isValid(request, answer);
		const key = isOurs ? signingKey(answer, environment) : undefined;
		if (!answer || key === undefined) {
			connection.destroy();
			return;
		}
		isAnswered = true;
		if (!print(decisionOf(request, answer))) endSilently();
		connection.end(`${JSON.stringify({taken: signTaken(key, answer)})}\n`, endSilently);
		setTimeout(endSilently, takenTime);
	};
	for (const socket of sockets) {
		let text = '';
		let code: string | undefined;
		const connection = connect(socket.file);
		connection.setEncoding('utf8');
		connection.write(line);
		connection.on('data', (part: string) => {
			text += part;
			const end = text.indexOf('\n');
			if (end >= 0) onAnswer(connection, text.slice(0, end));
			else if (text.length > maxAnswerLine) connection.destroy();
		});
		connection.on('error', (error: NodeJS.ErrnoException) => {
			code = error.code;
		});
		connection.on('close', () => {
			if (code === 'ECONNREFUSED') removeIfDead(socket);
			if (--open === 0 && !isAnswered) endSilently();
		});
	}
}

/** Whether it has suggestions of this request, and is in time: a machine may sleep in between. */
function isValid({suggestions}: Ask, {applies, until}: AskAnswer): boolean {
	return Date.now() <= until && applies.every(index => suggestions[index] !== undefined);
}

function decisionOf({suggestions}: Ask, {allows, applies, words}: AskAnswer): object {
	if (!allows) return {behavior: 'deny', message: words?.slice(0, maxWords) || denied};
	const updatedPermissions = applies.map(index => suggestions[index]);
	return {
		behavior: 'allow',
		updatedPermissions: updatedPermissions.length > 0 ? updatedPermissions : undefined,
	};
}

/** Prints a decision whole. False if the client doesn't read it any more. */
function print(decision: object): boolean {
	const output = {hookSpecificOutput: {hookEventName: 'PermissionRequest', decision}};
	const bytes = Buffer.from(`${JSON.stringify(output)}\n`);
	const giveUpAt = Date.now() + printTime;
	let from = 0;
	while (from < bytes.length) {
		try {
			from += writeSync(1, bytes, from);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || Date.now() > giveUpAt) return false;
		}
	}
	return true;
}
