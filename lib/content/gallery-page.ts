import type { Picture } from "#lib/content/picture.ts";
import { COURSE_HOURS } from "#lib/content/prices.ts";

export interface Scene extends Picture {
  readonly title: string;
  readonly description?: string;
  /** True for a drawing that came with the site, which the page must not call a photo. */
  readonly sample?: true;
}

const sampleDrawing = { width: 1200, height: 900, sample: true } as const;

/** The scenes of /gallery. A photo has its own `width` and `height` instead of `...sampleDrawing`. */
export const galleryScenes: readonly Scene[] = [
  {
    ...sampleDrawing,
    src: "/art/gallery-1.svg",
    alt: "강사가 옆에서 길을 가리키고 수강생이 운전대를 잡은 운전석 풍경",
    title: "옆자리에 앉은 강사",
    description: "강사가 조수석에서 다음에 갈 길을 미리 짚어 드립니다.",
  },
  {
    ...sampleDrawing,
    src: "/art/gallery-2.svg",
    alt: "주차장에서 노란 점선을 따라 후진 주차를 연습하는 차량을 위에서 본 모습",
    title: "후진 주차",
    description: "핸들을 언제 돌리고 언제 풀지, 순서대로 익힙니다.",
  },
  {
    ...sampleDrawing,
    src: "/art/gallery-3.svg",
    alt: "이천·여주 표지판 아래 도로에서 차로를 바꾸는 초보운전 차량",
    title: "차로 변경",
    description: "거울을 보고 방향지시등을 켜고, 들어갈 때를 함께 판단합니다.",
  },
  {
    ...sampleDrawing,
    src: "/art/gallery-4.svg",
    alt: "교차로에서 노란 점선을 따라 좌회전하는 연수 차량을 위에서 본 모습",
    title: "교차로 좌회전",
    description: "신호를 확인하고, 어느 차로로 들어갈지 미리 그려 봅니다.",
  },
  {
    ...sampleDrawing,
    src: "/art/gallery-5.svg",
    alt: "비 갠 밤, 전조등을 켜고 젖은 도로를 달리는 차와 도시의 불빛",
    title: "야간 운전",
    description: "비에 젖은 밤길에서 앞차와의 거리와 불빛을 살피며 달립니다.",
  },
  {
    ...sampleDrawing,
    src: "/art/gallery-6.svg",
    alt: "노을 지는 강가에서 차 열쇠를 들어 보이는 수강생과 강사",
    title: "연수를 마친 저녁",
  },
];

export const sampleScenes = galleryScenes.filter(({ sample }) => sample);

function leadOf(all: number, drawn: number): string {
  if (all === 0) return "연수하는 장면을 준비하고 있습니다.";
  return drawn > 0
    ? "연습 내용을 그림으로 보여 드립니다. 누르시면 크게 보실 수 있습니다."
    : "연수하는 장면을 모았습니다. 누르시면 크게 보실 수 있습니다.";
}

export const galleryPage = {
  /** A page of drawings is not called a gallery. */
  name: sampleScenes.length > 0 ? "연습 내용" : "갤러리",
  english: sampleScenes.length > 0 ? "Practice" : "Gallery",
  description: `후진 주차, 차로 변경, 교차로 좌회전, 야간 운전까지 ${COURSE_HOURS}시간 운전연수에서 연습하는 ${sampleScenes.length > 0 ? "내용을 그림으로" : "장면을"} 보여 드리고, 기초·도로·심화 과정을 안내합니다.`,
  title: "옆자리에서⏎m 이렇게 연습합니다",
  lead: leadOf(galleryScenes.length, sampleScenes.length),
  lightbox: {
    close: "닫기",
    previous: { label: "이전 장면", short: "이전" },
    next: { label: "다음 장면", short: "다음" },
    counter: "{n} / {total}",
  },
  course: {
    title: "기초에서 심화까지⏎한 길로 이어집니다",
    lead: "단계별로 걸리는 시간은 사람마다 다릅니다. 익숙해지면 다음 단계로 넘어갑니다.",
    stages: [
      {
        name: "기초 연수",
        english: "Basic",
        text: "좌석과 거울을 맞추고 [출발, 정지,] 핸들 조작을 다시 익힙니다.",
      },
      {
        name: "도로 연수",
        english: "Road",
        text: "실제 도로에서 차로 유지와 [차로 변경,] 교차로와 신호를 연습합니다.",
      },
      {
        name: "심화 연수",
        english: "Advanced",
        text: "주차와 야간 운전처럼 어렵게 느끼시는 상황을 골라 연습합니다.",
      },
    ],
  },
} as const;
