#!/usr/bin/env node
import {ask, endSilently} from './ask.ts';
import {fanOut, maxReceivers} from './fan-out.ts';
import {newEnvelope, optionValue, prepareHook} from './hook-process.ts';
import {isObject, type JsonObject, parseObject} from './json.ts';
import {readPayload, readStdin} from './payload.ts';
import {currentEnvironment, runtimeFolders} from './runtime-folder.ts';
import {findSockets} from './sockets.ts';
import {spool, spoolFolders} from './spool.ts';
import {type Envelope, encodeEnvelope} from './wire.ts';

/**
 * The hook of `hooks install --answer`: `answer-hook.cjs --client NAME --wait SECONDS [--parent-pid PID]`, for the event
 * `PermissionRequest` alone. It reports the event as every hook does, then asks the running programs and prints what the
 * user pressed in one of them. Everything else ends in silence with 0, and the client's own prompt stands.
 *
 * A program of its own: the hook of all other events must not get slower.
 */
function run(): void {
	const ts = Date.now();
	prepareHook(endSilently);
	const wait = Math.min(3600, Number(optionValue('--wait')) || 0);
	setTimeout(endSilently, wait * 1000);

	readStdin(read => {
		const bytes = read.bytes();
		const data = readPayload(bytes, read.isCapped(), false);
		const envelope = newEnvelope(ts, data);
		const payload = read.isCapped() ? undefined : parseObject(bytes.toString('utf8'));
		report(envelope, () => {
			const request = payload && requestOf(payload);
			if (!request || data.test || envelope.event !== 'PermissionRequest') endSilently();
			else ask({...envelope, ...request});
		});
	});
}

/** The part of the payload that programs show; undefined for a question, which can't be answered with yes or no. */
function requestOf(payload: JsonObject) {
	const {tool_name: tool, tool_input: input, permission_suggestions: suggestions} = payload;
	if (typeof tool !== 'string' || tool === '' || tool === 'AskUserQuestion' || !isObject(input))
		return undefined;
	return {tool, input, suggestions: Array.isArray(suggestions) ? suggestions.filter(isObject) : []};
}

/** Sends the event, without the tool's input, to every running program, or spools it. */
function report(envelope: Envelope, onEnd: () => void): void {
	const environment = currentEnvironment();
	const line = encodeEnvelope(envelope);
	const found = findSockets(runtimeFolders(environment), environment);
	fanOut(found.slice(0, maxReceivers), {line, id: envelope.id}, isSaved => {
		if (!isSaved || found.length > maxReceivers)
			spool(spoolFolders(environment), line, envelope, environment);
		onEnd();
	});
}

run();
