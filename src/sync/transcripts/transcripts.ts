import {readdirSync, statSync} from 'node:fs';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {isOutsideService} from '../../domain/known.ts';
import type {MessageRole} from '../../domain/messages/message.ts';
import {readsTranscriptsOf} from '../../domain/sessions/transcript-clients.ts';
import type {Fleet} from '../../state/fleet.ts';
import type {Stream} from '../../state/stream.ts';
import {TranscriptError} from './transcript-file.ts';
import {TranscriptFollower, type TranscriptFollowerOptions} from './transcript-follower.ts';
import {TranscriptMessages} from './transcript-messages.ts';
import {TranscriptWindow} from './transcript-window.ts';

/** A session's transcript. */
export type TranscriptSource = {readonly sessionId: string; readonly path: string};

/** Folders of projects that are searched for a transcript. */
const maxFolders = 2000;

/** The folder in which Claude Code keeps what belongs to the user. */
function claudeFolder(): string {
	const named = process.env.CLAUDE_CONFIG_DIR;
	return named && isAbsolute(named) ? named : join(homedir(), '.claude');
}

/**
 * Where Claude Code writes a session's transcript: in a folder named after the one that it was started in. Undefined if
 * there is none. `isThorough`: looks in the folders of all projects.
 */
function findClaudeTranscript(
	sessionId: string,
	cwd: string | undefined,
	{isThorough}: {readonly isThorough: boolean} = {isThorough: true},
): string | undefined {
	if (!/^[\w-]{8,100}$/.test(sessionId)) return undefined;
	const projects = join(claudeFolder(), 'projects');
	const pathIn = (project: string) => join(projects, project, `${sessionId}.jsonl`);
	const likely = cwd === undefined ? undefined : pathIn(cwd.replace(/[^a-zA-Z0-9]/g, '-'));
	if (likely !== undefined && isFile(likely)) return likely;
	return isThorough ? foldersIn(projects).slice(0, maxFolders).map(pathIn).find(isFile) : undefined;
}

/** The transcript that a session outside the service can be read from; undefined if there is none. */
export function transcriptIn(
	{sessions, signals}: Pick<Fleet, 'sessions' | 'signals'>,
	sessionId: string,
	options?: {readonly isThorough: boolean},
): string | undefined {
	const known = sessions.get(sessionId);
	if (!known || !isOutsideService(known)) return undefined;
	const [signal] = [...signals.values()]
		.filter(one => one.sessionId === sessionId)
		.sort((a, b) => b.lastEventAt - a.lastEventAt);
	if (!readsTranscriptsOf(signal?.client)) return undefined;
	if (known.transcriptPath !== undefined) return known.transcriptPath;
	return signal?.client === 'claude' ? findClaudeTranscript(sessionId, known.cwd, options) : undefined;
}

/** All transcripts of sessions outside the service. */
export function allTranscripts(fleet: Pick<Fleet, 'sessions' | 'signals'>): TranscriptSource[] {
	return [...fleet.sessions.keys()].flatMap(sessionId => {
		const path = transcriptIn(fleet, sessionId, {isThorough: false});
		return path === undefined ? [] : [{sessionId, path}];
	});
}

/** Opens a transcript for a command. Throws an error named `TranscriptError`. */
export function openTranscriptFile(path: string, role: MessageRole | undefined): TranscriptMessages {
	return new TranscriptMessages(path, role);
}

/** Shows and follows a transcript until it is closed. */
export function followTranscript(options: TranscriptFollowerOptions): TranscriptFollower {
	return new TranscriptFollower(options);
}

/** The end of a transcript; undefined if it can't be read. */
export function previewTranscript(sessionId: string, path: string): Stream | undefined {
	try {
		const window = new TranscriptWindow(path);
		const {unreadable, hasOlder} = window;
		window.close();
		const entries = window.entries();
		return {sessionId, entries, hasOlder, phase: {name: 'ready'}, transcript: {path, unreadable}};
	} catch (error) {
		if (!(error instanceof TranscriptError)) throw error;
		return undefined;
	}
}

function isFile(path: string): boolean {
	try {
		return statSync(path, {throwIfNoEntry: false})?.isFile() === true;
	} catch {
		return false;
	}
}

function foldersIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
