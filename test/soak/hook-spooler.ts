import {writeSync} from 'node:fs';
import {parentPort} from 'node:worker_threads';
import {currentEnvironment} from '../../hooks/runtime-folder.ts';
import {spool, spoolFolders} from '../../hooks/spool.ts';
import type {Envelope} from '../../hooks/wire.ts';

/** An event that nobody acknowledged, and its line as it would have been sent. */
export type Unsent = {readonly line: string; readonly envelope: Envelope};

const environment = currentEnvironment();
const folders = [...spoolFolders(environment)];

/** Spools what it is given and says on standard output what came of it; then the id, to who gave it. */
parentPort?.on('message', ({line, envelope}: Unsent) => {
	const how = spool(folders, line, envelope, environment) ? 's' : 'l';
	writeSync(1, `${how} ${envelope.id} ${envelope.event}\n`);
	parentPort?.postMessage(envelope.id);
});
