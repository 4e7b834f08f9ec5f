import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {ifPossible} from '../../domain/if-possible.ts';
import {isOutsideService} from '../../domain/known.ts';
import type {Signal} from '../../domain/sessions/signal.ts';
import type {Fleet} from '../../state/fleet.ts';
import {rememberEach} from '../../state/rows/remember.ts';
import type {Stream} from '../../state/stream.ts';
import {claudeFolder, claudeTranscript, TranscriptError} from '../../transcripts/transcript-file.ts';
import {TranscriptWindow} from './transcript-window.ts';

export type TranscriptSource = {readonly sessionId: string; readonly path: string};

const transcriptClients: ReadonlySet<string> = new Set(['claude', 'codex']);
/** Maximum number of projects' folders to search for a transcript. */
const maxFolders = 2000;

/**
 * Path of a session's transcript of Claude Code; undefined if there is none. `isThorough`: searches the folders of all
 * projects, as the session may have been started in another one.
 */
function findClaudeTranscript(
	sessionId: string,
	cwd: string | undefined,
	isThorough: boolean,
): string | undefined {
	if (!/^[\w-]{1,128}$/.test(sessionId)) return undefined;
	const folder = claudeFolder();
	const likely = cwd === undefined ? undefined : claudeTranscript(folder, {cwd, sessionId});
	if (likely !== undefined && isFile(likely)) return likely;
	if (!isThorough) return undefined;
	const projects = join(folder, 'projects');
	return (ifPossible(() => readdirSync(projects)) ?? [])
		.slice(0, maxFolders)
		.map(project => join(projects, project, `${sessionId}.jsonl`))
		.find(isFile);
}

/** Path of the transcript of a session outside the service; undefined if there is none to read. */
export function transcriptIn(
	{sessions, signals}: Pick<Fleet, 'sessions' | 'signals'>,
	sessionId: string,
	isThorough = true,
): string | undefined {
	const known = sessions.get(sessionId);
	if (!known || !isOutsideService(known)) return undefined;
	const signal = newestSignals(signals).get(sessionId);
	// Paths of another computer name nothing here.
	if (!signal || signal.computer || !transcriptClients.has(signal.client)) return undefined;
	const {transcriptPath: named, cwd} = known;
	if (signal.client !== 'claude' || (named !== undefined && isFile(named))) return named;
	return findClaudeTranscript(sessionId, cwd, isThorough) ?? named;
}

/** The newest signal of each session, by its id. */
const newestSignals = rememberEach((signals: Fleet['signals']): ReadonlyMap<string, Signal> => {
	const newest = new Map<string, Signal>();
	for (const signal of signals.values()) {
		const other = newest.get(signal.sessionId);
		if (!other || other.lastEventAt < signal.lastEventAt) newest.set(signal.sessionId, signal);
	}
	return newest;
});

export function allTranscripts(fleet: Pick<Fleet, 'sessions' | 'signals'>): TranscriptSource[] {
	return [...fleet.sessions.keys()].flatMap(sessionId => {
		const path = transcriptIn(fleet, sessionId, false);
		return path === undefined ? [] : [{sessionId, path}];
	});
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
	return ifPossible(() => statSync(path, {throwIfNoEntry: false})?.isFile()) ?? false;
}
