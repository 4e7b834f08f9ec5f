import {randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import type {DatabaseSync} from 'node:sqlite';
import type {ComputerStatus} from '../../domain/computers/computer.ts';
import type {PlannedStep, StepKind, StepStatus} from '../provisioning.ts';
import {numberOf, type Row, rowAs, textOf} from './row.ts';

/** A computer as stored. `workspace` is an absolute path; `runner` is the instance working on it. */
export type StoredComputer = {
	readonly id: string;
	readonly name: string;
	readonly remoteUser: string;
	readonly hostId?: string;
	readonly hostname: string;
	readonly status: ComputerStatus;
	readonly workspace: string;
	readonly createdAt: number;
	readonly runner?: string;
};

type NewComputer = Pick<StoredComputer, 'id' | 'name' | 'remoteUser' | 'hostId' | 'workspace'>;

export type StoredStep = {
	readonly id: string;
	readonly kind: StepKind;
	readonly name: string;
	readonly repo?: {readonly url: string; readonly folder: string};
	readonly status: StepStatus;
	readonly error?: string;
	readonly startedAt?: number;
	readonly completedAt?: number;
	readonly installSessionId?: string;
};

export function createComputerTable(database: DatabaseSync) {
	const insert = database.prepare(
		`INSERT INTO computers (id, name, remote_user, host_id, hostname, status, workspace, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const insertStep = database.prepare(
		`INSERT INTO steps (id, computer_id, position, kind, name, repo_url, repo_folder, status)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const select = database.prepare('SELECT * FROM computers WHERE id = ?');
	const selectAll = database.prepare('SELECT * FROM computers ORDER BY created_at, id');
	const selectSteps = database.prepare('SELECT * FROM steps WHERE computer_id = ? ORDER BY position');
	const update = database.prepare(
		`UPDATE computers SET name = coalesce(?, name), host_id = coalesce(?, host_id),
		remote_user = coalesce(?, remote_user) WHERE id = ?`,
	);
	const setStatus = database.prepare('UPDATE computers SET status = ? WHERE id = ?');
	const setStep = database.prepare(
		`UPDATE steps SET status = ?, error = ?, started_at = ?, completed_at = ?,
		install_session_id = coalesce(?, install_session_id) WHERE id = ?`,
	);
	const claim = database.prepare('UPDATE computers SET runner = ? WHERE id = ? AND runner IS NULL');
	const release = database.prepare('UPDATE computers SET runner = NULL WHERE id = ? AND runner = ?');
	return {
		/** Adds a computer of this machine, to be provisioned. */
		add(computer: NewComputer, steps: readonly PlannedStep[]): void {
			insert.run(
				computer.id,
				computer.name,
				computer.remoteUser,
				computer.hostId ?? null,
				hostname(),
				'provisioning',
				computer.workspace,
				Date.now(),
			);
			for (const [position, step] of steps.entries())
				insertStep.run(
					randomUUID(),
					computer.id,
					position,
					step.kind,
					step.name,
					step.repo?.url ?? null,
					step.repo?.folder ?? null,
					step.status,
				);
		},
		get: (id: string) => rowAs(select.get(id), toComputer),
		all: () => selectAll.all().map(toComputer),
		steps: (computerId: string) => selectSteps.all(computerId).map(toStep),
		update(
			id: string,
			{name, hostId, remoteUser}: {name?: string; hostId?: string; remoteUser?: string},
		): void {
			update.run(name ?? null, hostId ?? null, remoteUser ?? null, id);
		},
		setStatus(id: string, status: ComputerStatus): void {
			setStatus.run(status, id);
		},
		/** Replaces the state of a step's run: absent fields are cleared, except the install session. */
		setStep(id: string, run: Partial<StoredStep> & Pick<StoredStep, 'status'>): void {
			setStep.run(
				run.status,
				run.error ?? null,
				run.startedAt ?? null,
				run.completedAt ?? null,
				run.installSessionId ?? null,
				id,
			);
		},
		/** Takes the exclusive right to work on a computer; false when an instance has it. */
		claim: (id: string, runner: string) => claim.run(runner, id).changes === 1,
		release(id: string, runner: string): void {
			release.run(id, runner);
		},
	};
}

function toComputer(row: Row): StoredComputer {
	return {
		id: String(row.id),
		name: String(row.name),
		remoteUser: String(row.remote_user),
		hostId: textOf(row, 'host_id'),
		hostname: String(row.hostname),
		status: String(row.status) as ComputerStatus,
		workspace: String(row.workspace),
		createdAt: Number(row.created_at),
		runner: textOf(row, 'runner'),
	};
}

function toStep(row: Row): StoredStep {
	const url = textOf(row, 'repo_url');
	return {
		id: String(row.id),
		kind: String(row.kind) as StepKind,
		name: String(row.name),
		repo: url === undefined ? undefined : {url, folder: String(row.repo_folder)},
		status: String(row.status) as StepStatus,
		error: textOf(row, 'error'),
		startedAt: numberOf(row, 'started_at'),
		completedAt: numberOf(row, 'completed_at'),
		installSessionId: textOf(row, 'install_session_id'),
	};
}
