import {randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import type {DatabaseSync} from 'node:sqlite';
import type {Computer, ComputerStatus, MachineHost} from '../../domain/computers/computer.ts';
import type {PlannedStep, StepStatus} from '../provisioning/provisioning.ts';
import {rowAs, rowInserter, rowReader, rowUpdater} from './row.ts';

/** Another machine, which has an embedded service of its own. */
export type StoredMachine = {
	readonly host: MachineHost;
	readonly repos: readonly string[];
	readonly installsDeps: boolean;
	/** The computer there, as its service last described it. */
	readonly computer?: Computer;
	/** How far the clock here is ahead of the machine's, ms. */
	readonly clockAhead?: number;
};

/** A computer as stored. `workspace` is an absolute path; empty on another machine. */
export type StoredComputer = {
	readonly id: string;
	readonly name: string;
	readonly remoteUser: string;
	readonly hostId?: string;
	readonly hostname: string;
	readonly status: ComputerStatus;
	readonly workspace: string;
	readonly machine?: StoredMachine;
	/** Since when the machine can't be reached. */
	readonly unreachableSince?: number;
	readonly createdAt: number;
};

type NewComputer = Pick<StoredComputer, 'id' | 'name' | 'remoteUser' | 'hostId' | 'workspace' | 'machine'>;

export type StoredStep = Omit<PlannedStep, 'status'> & {
	readonly id: string;
	readonly status: StepStatus;
	readonly error?: string;
	readonly startedAt?: number;
	readonly completedAt?: number;
	readonly installSessionId?: string;
};

type StepRow = Omit<StoredStep, 'repo'> & {
	readonly computerId: string;
	readonly position: number;
	readonly repoUrl?: string;
	readonly repoFolder?: string;
};

export function createComputerTable(database: DatabaseSync) {
	const insert = rowInserter<StoredComputer>(database, 'computers');
	const insertStep = rowInserter<StepRow>(database, 'steps');
	const select = database.prepare('SELECT * FROM computers WHERE id = ?');
	const selectAll = database.prepare('SELECT * FROM computers ORDER BY created_at, id');
	const selectSteps = database.prepare('SELECT * FROM steps WHERE computer_id = ? ORDER BY position');
	const updateStep = rowUpdater<StepRow>(database, 'steps');
	const toComputer = rowReader<StoredComputer>({machine: 'json'});
	const toStepRow = rowReader<StepRow>();
	const removeSteps = database.prepare('DELETE FROM steps WHERE computer_id = ?');
	const remove = database.prepare('DELETE FROM computers WHERE id = ?');
	return {
		add(computer: NewComputer, steps: readonly PlannedStep[]): void {
			// Another machine says itself who it is.
			const name = computer.machine ? '' : hostname();
			insert({...computer, hostname: name, status: 'provisioning', createdAt: Date.now()});
			const {id: computerId} = computer;
			for (const [position, {repo, ...step}] of steps.entries()) {
				const {url: repoUrl, folder: repoFolder} = repo ?? {};
				insertStep({...step, id: randomUUID(), computerId, position, repoUrl, repoFolder});
			}
		},
		get: (id: string) => rowAs(select.get(id), toComputer),
		all: () => selectAll.all().map(toComputer),
		steps: (computerId: string) => selectSteps.all(computerId).map(row => toStep(toStepRow(row))),
		update: rowUpdater<StoredComputer>(database, 'computers'),
		/** Removes a computer that has no sessions here. */
		remove(id: string): void {
			removeSteps.run(id);
			remove.run(id);
		},
		/** Replaces the state of a step's run: absent fields are cleared, except the install session. */
		setStep(id: string, run: Partial<StoredStep> & Pick<StoredStep, 'status'>): void {
			updateStep(id, {error: null, startedAt: null, completedAt: null, ...run});
		},
	};
}

function toStep({
	repoUrl: url,
	repoFolder: folder = '',
	computerId: _,
	position: __,
	...step
}: StepRow): StoredStep {
	return {...step, repo: url === undefined ? undefined : {url, folder}};
}
