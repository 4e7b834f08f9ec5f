import {expect} from 'vitest';
import {patience} from '../eventually.ts';
import {checkFiles, checkSaid, RequestCheck} from './leaks.ts';
import {checkScreen, endScreen} from './screen.ts';
import {type Step, take} from './steps.ts';
import {
	allAccounts,
	createWorld,
	outboxOf,
	type Place,
	readKeys,
	removeWorld,
	run,
	saidAt,
	type World,
} from './world.ts';

/** Steps that are taken at the same time, and what follows them once all have ended. */
export type Story = {readonly members: readonly boolean[]; readonly rounds: readonly (readonly Step[])[]};

/** Tells one story in a state folder of its own, and checks after each round that nothing crossed. */
export async function tell({members, rounds}: Story): Promise<void> {
	const world = await createWorld(members);
	const requests = new RequestCheck(world);
	try {
		for (const round of rounds) {
			await Promise.all(round.map(step => take(world, step, round.length === 1)));
			requests.roundEnds();
			checkScreen(world);
			if (world.screen?.terminal.hasEnded())
				throw new Error(`the screen ended:\n${world.screen.terminal.output()}`);
			await checkFiles(world);
			checkSaid(world);
		}
		await endWell(world);
		requests.roundEnds();
		await checkFiles(world);
		checkSaid(world);
		for (const place of world.places) checkClaims(world, place);
	} catch (error) {
		const steps = rounds.map(round => round.map(one => JSON.stringify(one)).join('\n\t& '));
		throw new Error(`This story failed:\n${members}\n${steps.join('\n')}`, {cause: error});
	} finally {
		await removeWorld(world);
	}
}

/** The services recover, and what waits for a key that is in use is sent. */
async function endWell(world: World): Promise<void> {
	await endScreen(world, false);
	for (const service of world.services) {
		service.faults.splice(0);
		service.troubles.splice(0);
		service.waitingTexts.clear();
	}
	await Promise.all(world.waiting);
	for (const place of world.places) {
		place.organization.isMember = false;
		await expect.poll(() => sendQueued(world, place), {timeout: patience}).toEqual([]);
	}
}

/** Sends what waits in the account of a place's current key; answers what still does. */
async function sendQueued(world: World, place: Place): Promise<string[]> {
	// A new key of no account here is given one.
	await run(world, place, 'outbox', 'list');
	const queued = () => {
		const id = readKeys(world).get(place.keys.at(-1) ?? '');
		const rows = allAccounts(world).flatMap(one => (one.id === id ? outboxOf(world, one) : []));
		return rows.filter(({state}) => state === 'queued').map(({text}) => text);
	};
	if (queued().length > 0) await run(world, place, 'outbox', 'wait', '--timeout=4');
	return queued();
}

/** What was sent has arrived; what may have been, or waits, has arrived, is kept, or was forgotten. */
function checkClaims(world: World, place: Place): void {
	const said = saidAt(place);
	const kept: string[] = [];
	for (const account of allAccounts(world)) {
		// Whose an account is that no key opens any more is not known.
		if ((world.owners.get(account.id) ?? place) !== place) continue;
		kept.push(...outboxOf(world, account).map(({text}) => text));
	}
	for (const {number, text, code, stderr} of place.claims) {
		const hasArrived = said.some(one => one.includes(`"${text}"`));
		const mayBeGone = code !== 0 && (code === undefined || number <= place.lastForgotten);
		if (!hasArrived && !mayBeGone && !kept.includes(text))
			throw new Error(`${text}, sent with exit code ${code}, has neither arrived nor is it kept: ${stderr}`);
	}
}
