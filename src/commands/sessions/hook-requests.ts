import {connect} from 'node:net';
import {isSignature, readAnswerKey, sign} from '../../../hooks/ask-wire.ts';
import {isObject, type JsonObject, parseObject} from '../../../hooks/json.ts';
import {socketProblem} from '../../../hooks/private-socket.ts';
import {currentEnvironment, runtimeFolders} from '../../../hooks/runtime-folder.ts';
import {findSockets} from '../../../hooks/sockets.ts';
import type {AgentRequest, RequestAnswer} from '../../domain/sessions/agent-request.ts';
import {answerTime} from '../../hook-listeners/permission-requests.ts';

/** How long to wait for a running program's reply, ms: the program waits for its hook first. */
const replyTime = answerTime + 2000;
/** Maximum length of a reply with all open requests, UTF-16 units. */
const maxReply = 64 * 1024 * 1024;

/** The open requests of hooks in all running programs, oldest first; undefined if no program runs. */
export async function runningRequests(stateFolder: string): Promise<readonly AgentRequest[] | undefined> {
	const replies = await callAll(stateFolder, {list: true});
	if (replies.length === 0) return undefined;
	const byId = new Map<string, AgentRequest>();
	for (const {requests} of replies)
		for (const request of Array.isArray(requests) ? requests.filter(isRequest) : [])
			byId.set(request.id, request);
	return [...byId.values()].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
}

/** Answers a hook's request through every running program that shows it. False if it came too late. */
export async function answerRunning(
	stateFolder: string,
	id: string,
	answer: RequestAnswer,
): Promise<boolean> {
	const replies = await callAll(stateFolder, {give: {id, ...answer}});
	return replies.some(({taken}) => taken === true);
}

function isRequest(value: unknown): value is AgentRequest {
	return isObject(value) && typeof value.id === 'string' && typeof value.sessionId === 'string';
}

async function callAll(stateFolder: string, call: object): Promise<JsonObject[]> {
	const key = readAnswerKey(stateFolder);
	if (key === undefined) return [];
	const environment = currentEnvironment();
	const sockets = findSockets(runtimeFolders(environment), environment, 'ask').filter(
		({file}) => socketProblem(file, environment) === undefined,
	);
	const until = Date.now() + answerTime;
	// Anyone may listen: the key itself is never sent, and only replies of our own programs count.
	const signature = sign(key, ['call', until, call]);
	const line = `${JSON.stringify({call, until, signature})}\n`;
	const lines = await Promise.all(sockets.map(({file}) => callOne(file, line)));
	return lines.flatMap(text => {
		const {reply, signature: replySignature} = parseObject(text) ?? {};
		return isObject(reply) && isSignature(replySignature, key, ['reply', signature, reply]) ? [reply] : [];
	});
}

function callOne(file: string, line: string): Promise<string> {
	return new Promise(resolve => {
		let reply = '';
		const socket = connect(file);
		// The whole time, since a listener could send a byte now and then.
		const timer = setTimeout(() => socket.destroy(), replyTime);
		socket.setEncoding('utf8').on('data', (part: string) => {
			reply += part;
			if (reply.length > maxReply) socket.destroy();
		});
		socket.on('error', () => {});
		socket.on('close', () => {
			clearTimeout(timer);
			resolve(reply);
		});
		socket.write(line);
	});
}
