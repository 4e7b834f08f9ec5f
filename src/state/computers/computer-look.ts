import {providerTitles} from '../../domain/computers/computer.ts';
import {type Median, type Progress, progress, type StepState} from '../../domain/computers/provisioning.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {type Look, markLook} from '../sessions/session-look.ts';
import type {Stores} from '../stores.ts';
import {type ComputerItem, type ComputerState, conditionOf} from './computer-items.ts';

export const stepLooks: Readonly<Record<StepState, Look>> = {
	pending: {glyph: safe`○`, word: safe`waiting`, tone: 'dim'},
	running: {glyph: safe`●`, word: safe`running`, tone: 'accent'},
	done: {glyph: safe`✓`, word: safe`done`, tone: 'good'},
	failed: {glyph: safe`✗`, word: safe`failed`, tone: 'bad'},
	skipped: {glyph: safe`·`, word: safe`skipped`, tone: 'dim'},
	canceled: {glyph: safe`·`, word: safe`canceled`, tone: 'warn'},
};

/** How each known state is shown; an unknown status is shown as the service sent it. */
export const stateLooks: Readonly<Record<Exclude<ComputerState, 'raw'>, Look>> = {
	error: {glyph: safe`✗`, word: safe`failed`, tone: 'bad'},
	failed: {glyph: safe`✗`, word: safe`step failed`, tone: 'bad'},
	missing: {glyph: safe`?`, word: safe`not found`, tone: 'warn'},
	starting: {glyph: safe`◌`, word: safe`starting`, tone: 'info'},
	provisioning: {glyph: safe`●`, word: safe`provisioning`, tone: 'accent'},
	unread: {glyph: safe`?`, word: safe`not read yet`, tone: 'dim'},
	active: {glyph: safe`✓`, word: safe`active`, tone: 'good'},
};

export const failedLook: Look = {glyph: safe`✗`, word: safe`failed`, tone: 'bad'};
const stuckLook: Look = {glyph: safe`!`, word: safe`stuck?`, tone: 'warn'};

export function needyLook({isStuck, mark}: ComputerItem): Look {
	return markLook(isStuck ? stuckLook : failedLook, mark);
}

/** What failed on a computer: the step and its error, if known. */
export function failureText({reason}: ComputerItem, maxLength: number): Safe {
	return reason === undefined ? safe`provisioning` : cleanLine(reason, maxLength);
}

/** The service on another machine waits for its agents before the newer version takes its place. */
const oldService: Look = {...stateLooks.active, word: safe`update when idle`, tone: 'info'};

/** A computer's state on screen; an unknown status word is shown unchanged. */
export function computerLook(item: ComputerItem): Look {
	const {state} = conditionOf(item);
	if (state === 'active' && item.known.computer?.updatesWhenIdle) return oldService;
	if (state !== 'raw') return stateLooks[state];
	return {glyph: safe`?`, word: cleanLine(item.known.computer?.status ?? 'unknown', 24), tone: 'info'};
}

/** Whether the computer is being provisioned, so that it has progress to show. */
export function isProvisioning(item: ComputerItem): boolean {
	return conditionOf(item).state === 'provisioning';
}

export function hasRunningStep({known}: ComputerItem): boolean {
	return (known.computer?.provisioningSteps ?? []).some(
		step => step.startedAt !== undefined && step.completedAt === undefined && !step.error,
	);
}

/** A computer's progress at `now` (our Unix ms). Adds the clock skew, since steps carry the service's times. */
export function progressOf(
	parts: {readonly median: Median; readonly stores: Pick<Stores, 'connection'>},
	item: ComputerItem,
	now: number,
): Progress {
	const skew = parts.stores.connection.getState().skew ?? 0;
	return progress(item.known.computer ?? {id: item.id}, parts.median, now + skew);
}

/** The provider of a computer: its title, whole or short, and the contract's word in parentheses. */
export function providerWords(
	providerType: string | undefined,
	isShort = false,
): readonly [Safe, Safe?] | undefined {
	if (providerType === undefined || providerType === '') return undefined;
	const known = providerTitles.get(providerType);
	const word = cleanLine(providerType);
	return known ? [cleanLine(isShort ? known.short : known.title), safe`(${word})`] : [word];
}
