export default function Page() {
  return (
    <main>
      <h1 className="type-display">차근차근 운전연수</h1>
    </main>
  );
}
