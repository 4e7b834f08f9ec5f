import {readdirSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {isPrivateFolder, type RuntimeEnvironment, runtimeFolders} from '../../hooks/runtime-folder.ts';
import {type FoundSocket, findSockets} from '../../hooks/sockets.ts';
import {parseSpoolName, readSpooled, spoolFolders} from '../../hooks/spool.ts';
import type {Envelope} from '../../hooks/wire.ts';

/** A program that listens for events, or a socket left behind by one. */
export type Listener = FoundSocket & {readonly isLive: boolean};

const answerTime = 500;

/** The sockets that this user's hooks find, and whether a program still listens on them. */
export function findListeners(environment: RuntimeEnvironment): Promise<Listener[]> {
	return Promise.all(
		findSockets(runtimeFolders(environment), environment).map(async socket => ({
			...socket,
			isLive: await isLive(socket),
		})),
	);
}

function isLive({file}: FoundSocket): Promise<boolean> {
	return new Promise(resolve => {
		const probe = connect(file);
		probe.setTimeout(answerTime, () => probe.destroy());
		probe.on('connect', () => {
			resolve(true);
			probe.destroy();
		});
		probe.on('error', () => {});
		probe.on('close', () => resolve(false));
	});
}

/** Size of one spool folder: events waiting for the next program. */
export type SpoolSize = {readonly folder: string; readonly files: number; readonly bytes: number};

/** Every spool folder that isn't empty. */
export function spoolSizes(environment: RuntimeEnvironment): SpoolSize[] {
	return [...spoolFolders(environment)].flatMap(folder => {
		const names = spoolNames(folder, environment).flatMap(name => parseSpoolName(name) ?? []);
		const bytes = names.reduce((sum, name) => sum + name.bytes, 0);
		return names.length > 0 ? [{folder, files: names.length, bytes}] : [];
	});
}

/** Every waiting event in all spool folders of an environment. */
export function readSpool(
	environment: RuntimeEnvironment,
): {readonly file: string; readonly envelope: Envelope}[] {
	return [...spoolFolders(environment)].flatMap(folder =>
		spoolNames(folder, environment).flatMap(name => {
			const file = join(folder, name);
			const envelope = readSpooled(file);
			return envelope ? [{file, envelope}] : [];
		}),
	);
}

function spoolNames(folder: string, environment: RuntimeEnvironment): string[] {
	if (!isPrivateFolder(folder, environment)) return [];
	return readdirSync(folder).filter(name => parseSpoolName(name) !== undefined);
}
