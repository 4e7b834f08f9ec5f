#!/usr/bin/env node
import {deadlines, fanOut, maxReceivers} from './fan-out.ts';
import {newEnvelope, prepareHook} from './hook-process.ts';
import {type Input, readPayload, readStdin} from './payload.ts';
import {currentEnvironment, runtimeFolders} from './runtime-folder.ts';
import {findSockets} from './sockets.ts';
import {spool, spoolFolders} from './spool.ts';
import {type Envelope, encodeEnvelope} from './wire.ts';

/**
 * The hook binary: `quarterdeck-hook [--client NAME] [--last-message] [--parent-pid PID]`. An agent's client
 * runs it for each event with the event's JSON on stdin. It sends the event to every running program of the
 * user, or spools it for the next one. It always exits with 0, silently and in time: it must never disturb
 * the agent.
 */
function run(): void {
	const ts = Date.now();
	let input: Input | undefined;
	let envelope: Envelope | undefined;
	let isExiting = false;

	const makeEnvelope = (): Envelope => {
		const bytes = input?.bytes() ?? Buffer.alloc(0);
		const data = readPayload(bytes, input?.isCapped() ?? false, process.argv.includes('--last-message'));
		return newEnvelope(ts, data);
	};
	/** Spools the event and exits: no program acknowledged it, or time is up. */
	const saveAndExit = () => {
		if (isExiting) process.exit(0);
		isExiting = true;
		try {
			envelope ??= makeEnvelope();
			const environment = currentEnvironment();
			spool(spoolFolders(environment), encodeEnvelope(envelope), envelope, environment);
		} finally {
			process.exit(0);
		}
	};

	prepareHook(saveAndExit);
	setTimeout(() => {
		const isEnd = envelope ? envelope.event === 'SessionEnd' : input?.bytes().includes('"SessionEnd"');
		if (isEnd) saveAndExit();
		else setTimeout(saveAndExit, deadlines.run - deadlines.sessionEnd);
	}, deadlines.sessionEnd);

	input = readStdin(read => {
		input = read;
		envelope = makeEnvelope();
		const environment = currentEnvironment();
		const found = findSockets(runtimeFolders(environment), environment);
		if (found.length === 0) return saveAndExit();
		const message = {line: encodeEnvelope(envelope), id: envelope.id};
		fanOut(found.slice(0, maxReceivers), message, isSaved => {
			// Those that acknowledged may be no programs of ours: the others find the event in the spool.
			if (isSaved && found.length <= maxReceivers) process.exit(0);
			saveAndExit();
		});
	});
}

run();
