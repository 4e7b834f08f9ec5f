import type {Progress, StepState} from '../../domain/provisioning.ts';
import type {ComputerItem} from '../../state/lists.ts';
import {cleanLine} from '../../text/clean.ts';
import {safe} from '../../text/safe.ts';
import type {Look} from './session-state.ts';

export const stepLooks: Readonly<Record<StepState, Look>> = {
	pending: {glyph: safe`○`, word: safe`waiting`, tone: 'dim'},
	running: {glyph: safe`●`, word: safe`running`, tone: 'accent'},
	done: {glyph: safe`✓`, word: safe`done`, tone: 'good'},
	failed: {glyph: safe`✗`, word: safe`failed`, tone: 'bad'},
	skipped: {glyph: safe`·`, word: safe`skipped`, tone: 'dim'},
	canceled: {glyph: safe`·`, word: safe`canceled`, tone: 'warn'},
};

/** What a computer's state comes down to: its own status, and whether a step of it failed. */
export function computerLook({known, isStarting}: ComputerItem, progress: Progress): Look {
	const status = known.computer?.status;
	if (isStarting) return {glyph: safe`◌`, word: safe`starting`, tone: 'info'};
	if (known.computer === undefined) return {glyph: safe`?`, word: safe`not read yet`, tone: 'dim'};
	if (status === 'error') return {glyph: safe`✗`, word: safe`error`, tone: 'bad'};
	if (isUnderWay(status, progress)) return {glyph: safe`●`, word: safe`provisioning`, tone: 'accent'};
	if (progress.failed) return {glyph: safe`!`, word: safe`step failed`, tone: 'warn'};
	if (status === 'active') return {glyph: safe`✓`, word: safe`active`, tone: 'good'};
	return {glyph: safe`?`, word: cleanLine(status ?? 'unknown', 24), tone: 'info'};
}

/** Is there progress to show? */
export function isUnderWay(status: string | undefined, progress: Progress): boolean {
	return status === 'provisioning' || (progress.total > 0 && !progress.isSettled);
}
